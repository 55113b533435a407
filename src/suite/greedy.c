/* Packing without a solver. The goals of one thread pairwise conflict, so each needs
 * a test of its own; the goals of the next thread are matched to the tests that there
 * are, as many as can be at once (maximum bipartite matching), and so on, thread after
 * thread. For two threads that is optimal. What can be reached in several ways comes
 * last and goes where it fits. */
#include "suite/cover.h"
#include "suite/goals.h"
#include "suite/index.h"
#include "suite/matching.h"

#include <string.h>

enum { EDGES_IN_ALL = 1 << 27, EDGES_AT_LEAST = 32 };

typedef struct packing {
    const hd_problem *net;
    const hd_cover_watch *watch;
    hd_space space;
    hd_goals goals;
    hd_cover *cover;
} packing;

static bool goes_on(const packing *p)
{
    return p->watch->goes_on(p->watch->context);
}

static void new_test(packing *p, const hd_cone *cone)
{
    hd_cone copy = { 0 };
    hd_cone_copy(&copy, cone);
    hd_vec_push(&p->cover->tests, copy);
}

/* Which tests each goal of the group fits into; when there are too many, some. */
static void find_edges(packing *p, uint32_t first, uint32_t end, hd_bipartite *b)
{
    hd_index index;
    uint32_t home = p->net->uses.items[p->net->events.items[p->goals.event[first]].use].place;
    size_t most = EDGES_IN_ALL / (end - first);
    most = most < EDGES_AT_LEAST ? EDGES_AT_LEAST : most;
    hd_index_init(&index, p->net, p->cover->tests.items, (uint32_t)p->cover->tests.count, home);
    for (uint32_t g = first; g < end; g++) {
        uint32_t count, found = 0;
        const uint32_t *candidates = hd_index_candidates(&index, &p->goals.cones[g], &count);
        for (uint32_t i = 0; i < count && found < most && goes_on(p); i++)
            if (hd_cones_fit(&p->space, &p->cover->tests.items[candidates[i]], &p->goals.cones[g])) {
                hd_bipartite_edge(b, candidates[i]);
                found++;
            }
        hd_bipartite_end(b);
    }
    hd_index_fini(&index);
}

static void pack_group(packing *p, uint32_t first, uint32_t end)
{
    hd_bipartite b;
    hd_bipartite_init(&b, end - first, (uint32_t)p->cover->tests.count);
    find_edges(p, first, end, &b);
    hd_bipartite_match(&b);
    for (uint32_t g = first; g < end; g++) {
        if (b.left[g - first] == HD_UNMATCHED)
            new_test(p, &p->goals.cones[g]);
        else
            hd_cone_join(&p->cover->tests.items[b.left[g - first]], &p->goals.cones[g]);
    }
    hd_bipartite_fini(&b);
}

/* --- goals with a choice -------------------------------------------------------------------- */

static bool is_reached(const packing *p, const hd_problem_goal *goal)
{
    for (size_t i = 0; i < p->cover->tests.count; i++)
        for (uint32_t m = 0; m < goal->member_count; m++)
            if (hd_cone_has(p->net, &p->cover->tests.items[i], p->net->members.items[goal->member + m]))
                return true;
    return false;
}

static bool fits_somewhere(packing *p, const hd_problem_goal *goal)
{
    hd_cone cone = { 0 };
    bool done = false;
    for (uint32_t m = 0; m < goal->member_count && !done && goes_on(p); m++) {
        hd_cone_of(&p->space, p->net->members.items[goal->member + m], &cone);
        for (size_t i = 0; i < p->cover->tests.count && !done; i++) {
            done = hd_cones_fit(&p->space, &p->cover->tests.items[i], &cone);
            if (done)
                hd_cone_join(&p->cover->tests.items[i], &cone);
        }
    }
    hd_vec_fini(&cone);
    return done;
}

static void pack_open_goals(packing *p)
{
    for (size_t i = 0; i < p->goals.open.count; i++) {
        const hd_problem_goal *goal = &p->net->goals.items[p->goals.open.items[i]];
        if (is_reached(p, goal) || fits_somewhere(p, goal))
            continue;
        hd_cone cone = { 0 };
        hd_cone_of(&p->space, p->net->members.items[goal->member], &cone);
        hd_vec_push(&p->cover->tests, cone);
    }
}

void hd_cover_greedy(const hd_problem *n, const hd_cover_watch *watch, hd_cover *out)
{
    packing p = { .net = n, .watch = watch, .cover = out };
    hd_space_init(&p.space, n);
    hd_goals_init(&p.goals, &p.space);
    for (uint32_t i = 0; i < p.goals.group_count; i++) {
        pack_group(&p, p.goals.group[i], p.goals.group[i + 1]);
        watch->bounds(watch->context, 0, (uint32_t)out->tests.count);
    }
    pack_open_goals(&p);
    out->stopped = !goes_on(&p);
    hd_goals_fini(&p.goals);
    hd_space_fini(&p.space);
}
