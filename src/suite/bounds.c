#include "suite/bounds.h"

#include "events/candidates.h"
#include "suite/matching.h"

#include <stdlib.h>

enum { EDGES_AT_MOST = 1 << 27, GROUPS_AT_MOST = 6 };

/* --- one place --------------------------------------------------------------------------- */

/* The last use of a goal's cone at a place. */
typedef struct ending {
    uint32_t place, enter, leave, goal;
} ending;

typedef hd_vec(ending) endings;

static int by_place_and_enter(const void *a, const void *b)
{
    const ending *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->enter < y->enter ? -1 : x->enter > y->enter;
}

/* Is this ending a leaf among all endings: the last of those with the same use, with none below it
 * in the tree? In order of `enter`, the next ending tells. */
static bool is_end(const endings *all, size_t i)
{
    const ending *e = &all->items[i];
    return i + 1 == all->count || e[1].place != e->place || e[1].enter >= e->leave;
}

static void take_ends(const endings *all, uint32_t place, hd_suite_clique *clique)
{
    hd_vec_clear(clique);
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].place == place && is_end(all, i))
            hd_vec_push(clique, all->items[i].goal);
}

/* At each place, the endings without another one below them lie on different branches. A test is one
 * path in the tree of the place, so the goals with these endings exclude each other. Takes the place with
 * the most. */
static void ends_at_one_place(const hd_suite_goal_groups *g, hd_suite_clique *clique)
{
    endings all = { 0 };
    uint32_t best = 0, best_place = HD_NO_USE, here = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (size_t k = 0; k < g->cones[i].count; k++) {
            const hd_tree_use *use = &g->problem->trees->uses.items[g->cones[i].items[k].use];
            hd_vec_push(&all, ((ending) { use->place, use->enter, use->leave, i }));
        }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_place_and_enter);
    for (size_t i = 0; i < all.count; i++) {
        /* Count the leaves of each place in one pass over the sorted endings. */
        here = i > 0 && all.items[i - 1].place == all.items[i].place ? here : 0;
        here += is_end(&all, i);
        if (here > best) {
            best = here;
            best_place = all.items[i].place;
        }
    }
    take_ends(&all, best_place, clique);
    hd_vec_fini(&all);
}

/* --- two threads -------------------------------------------------------------------------- */

/* Fills in which goals of thread a fit with which of thread b. False: too many pairs, or no time. */
static bool find_pairs(hd_configuration_space *s, const hd_suite_goal_groups *g, uint32_t a, uint32_t b,
    hd_suite_bipartite *pairs, const hd_suite_cover_watch *watch)
{
    uint32_t from = g->group[a], count = g->group[a + 1] - from;
    uint32_t other = g->group[b], others = g->group[b + 1] - other;
    hd_candidates *index;
    bool whole = true;
    index = hd_candidates_open(g->problem->trees, g->cones + other, others, hd_suite_goal_groups_place(g, from));
    for (uint32_t i = 0; i < count && whole; i++) {
        uint32_t found;
        const uint32_t *candidates = hd_candidates_of(index, &g->cones[from + i], &found);
        for (uint32_t k = 0; k < found; k++)
            if (hd_configurations_fit(s, &g->cones[from + i], &g->cones[other + candidates[k]]))
                hd_suite_bipartite_edge(pairs, candidates[k]);
        hd_suite_bipartite_end(pairs);
        whole = pairs->edges.count < EDGES_AT_MOST && watch->goes_on(watch->context);
    }
    hd_candidates_close(index);
    return whole;
}

/* Within a thread all goals exclude each other (hd_suite_problem_close), so in the bipartite graph of
 * fitting pairs an independent set is a set of goals that exclude each other. */
static void take_independent(
    const hd_suite_goal_groups *g, uint32_t a, uint32_t b, const hd_suite_bipartite *pairs, hd_suite_clique *clique)
{
    bool *left = hd_alloc(&hd_heap, pairs->left_count + 1), *right = hd_alloc(&hd_heap, pairs->right_count + 1);
    hd_suite_bipartite_independent(pairs, left, right);
    hd_vec_clear(clique);
    for (uint32_t i = 0; i < pairs->left_count; i++)
        if (left[i])
            hd_vec_push(clique, g->group[a] + i);
    for (uint32_t i = 0; i < pairs->right_count; i++)
        if (right[i])
            hd_vec_push(clique, g->group[b] + i);
    hd_release(&hd_heap, left, pairs->left_count + 1);
    hd_release(&hd_heap, right, pairs->right_count + 1);
}

/* Replaces the clique if the two threads have a larger one. */
static void ends_of_two(hd_configuration_space *s, const hd_suite_goal_groups *g, uint32_t a, uint32_t b,
    const hd_suite_cover_watch *watch, hd_suite_clique *clique)
{
    uint32_t count = g->group[a + 1] - g->group[a], others = g->group[b + 1] - g->group[b];
    hd_suite_bipartite pairs;
    /* Even if no pair fits, the two threads cannot beat the current clique. */
    if (count + others <= clique->count)
        return;
    hd_suite_bipartite_init(&pairs, count, others);
    /* König: the largest independent set has (nodes - maximum matching) elements. */
    if (find_pairs(s, g, a, b, &pairs, watch) && count + others - hd_suite_bipartite_match(&pairs) > clique->count)
        take_independent(g, a, b, &pairs, clique);
    hd_suite_bipartite_fini(&pairs);
}

uint32_t hd_suite_bounds_lower(hd_configuration_space *s, const hd_suite_goal_groups *g,
    const hd_suite_cover_watch *watch, hd_suite_clique *clique)
{
    ends_at_one_place(g, clique);
    for (uint32_t a = 0; a < g->group_count && a < GROUPS_AT_MOST; a++)
        for (uint32_t b = a + 1; b < g->group_count && b < GROUPS_AT_MOST; b++) {
            /* The pairs of large groups can take long: report what is known. */
            watch->bounds(watch->context, (uint32_t)clique->count, 0);
            ends_of_two(s, g, a, b, watch, clique);
        }
    /* A goal with several events is in no clique; it needs a test all the same. */
    return clique->count || !g->problem->goals.count ? (uint32_t)clique->count : 1;
}
