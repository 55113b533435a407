#include "suite/goal_groups.h"

#include <stdlib.h>

typedef struct placed {
    uint32_t event, home, size; /* size: of its thread's group */
} placed;

static int by_group(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->home != y->home)
        return x->home < y->home ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* Groups by thread, the largest first: packing starts from the group that needs the most tests. */
static placed *list(hd_suite_goal_groups *g, const hd_suite_problem *n)
{
    placed *all = hd_alloc(&hd_heap, (n->goals.count + 1) * sizeof *all);
    uint32_t *size = hd_alloc(&hd_heap, (n->trees->place_count + 1) * sizeof *size);
    for (uint32_t i = 0; i < n->goals.count; i++) {
        const hd_suite_problem_goal *goal = &n->goals.items[i];
        uint32_t event = n->members.items[goal->member];
        if (goal->member_count > 1) {
            hd_vec_push(&g->open, i);
            continue;
        }
        uint32_t home = hd_trees_home(n->trees, event)->place;
        all[g->count++] = (placed) { event, home, 0 };
        size[home]++;
    }
    for (uint32_t i = 0; i < g->count; i++)
        all[i].size = size[all[i].home];
    if (g->count)
        qsort(all, g->count, sizeof *all, by_group);
    hd_release(&hd_heap, size, (n->trees->place_count + 1) * sizeof *size);
    return all;
}

void hd_suite_goal_groups_init(hd_suite_goal_groups *g, const hd_suite_problem *n, hd_configuration_space *s)
{
    *g = (hd_suite_goal_groups) { .problem = n };
    placed *all = list(g, n);
    g->event = hd_alloc(&hd_heap, (g->count + 1) * sizeof *g->event);
    g->cones = hd_alloc(&hd_heap, (g->count + 1) * sizeof *g->cones);
    g->group = hd_alloc(&hd_heap, (g->count + 2) * sizeof *g->group);
    for (uint32_t i = 0; i < g->count; i++) {
        g->event[i] = all[i].event;
        hd_configuration_of(s, all[i].event, &g->cones[i]);
        if (i == 0 || all[i].home != all[i - 1].home)
            g->group[g->group_count++] = i;
    }
    g->group[g->group_count] = g->count;
    hd_release(&hd_heap, all, (n->goals.count + 1) * sizeof *all);
}

void hd_suite_goal_groups_fini(hd_suite_goal_groups *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        hd_vec_fini(&g->cones[i]);
    hd_release(&hd_heap, g->event, (g->count + 1) * sizeof *g->event);
    hd_release(&hd_heap, g->cones, (g->count + 1) * sizeof *g->cones);
    hd_release(&hd_heap, g->group, (g->count + 2) * sizeof *g->group);
    hd_vec_fini(&g->open);
}
