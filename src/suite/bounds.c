#include "suite/bounds.h"

#include "suite/index.h"
#include "suite/matching.h"

#include <stdlib.h>

enum { EDGES_AT_MOST = 1 << 27, GROUPS_AT_MOST = 6 };

/* --- one place --------------------------------------------------------------------------- */

typedef struct ending {
    uint32_t place, enter, leave;
} ending;

static int by_place_and_enter(const void *a, const void *b)
{
    const ending *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->enter < y->enter ? -1 : x->enter > y->enter;
}

/* The uses that goals end with at a place, without those that have another one
 * behind them: all on different branches. */
static uint32_t ends_at_one_place(const hd_goals *g)
{
    hd_vec(ending) all = { 0 };
    uint32_t best = 0, here = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (size_t k = 0; k < g->cones[i].count; k++) {
            const hd_problem_use *use = &g->net->uses.items[g->cones[i].items[k].use];
            hd_vec_push(&all, ((ending) { use->place, use->enter, use->leave }));
        }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_place_and_enter);
    for (size_t i = 0; i < all.count; i++) {
        const ending *e = &all.items[i];
        bool last = i + 1 == all.count || e[1].place != e->place;
        here = i > 0 && e[-1].place == e->place ? here : 0;
        here += last || e[1].enter >= e->leave;
        best = here > best ? here : best;
    }
    hd_vec_fini(&all);
    return best;
}

/* --- two threads -------------------------------------------------------------------------- */

static uint32_t ends_of_two(hd_space *s, const hd_goals *g, uint32_t a, uint32_t b, const hd_cover_watch *watch)
{
    uint32_t from = g->group[a], count = g->group[a + 1] - from, other = g->group[b];
    uint32_t others = g->group[b + 1] - other,
             home = s->net->uses.items[s->net->events.items[g->event[from]].use].place;
    hd_bipartite pairs;
    hd_index index;
    bool whole = true;
    hd_bipartite_init(&pairs, count, others);
    hd_index_init(&index, s->net, g->cones + other, others, home);
    for (uint32_t i = 0; i < count && whole; i++) {
        uint32_t found;
        const uint32_t *candidates = hd_index_candidates(&index, &g->cones[from + i], &found);
        for (uint32_t k = 0; k < found; k++)
            if (hd_cones_fit(s, &g->cones[from + i], &g->cones[other + candidates[k]]))
                hd_bipartite_edge(&pairs, candidates[k]);
        hd_bipartite_end(&pairs);
        whole = pairs.edges.count < EDGES_AT_MOST && watch->goes_on(watch->context);
    }
    uint32_t bound = whole ? count + others - hd_bipartite_match(&pairs) : 0;
    hd_index_fini(&index);
    hd_bipartite_fini(&pairs);
    return bound;
}

uint32_t hd_bounds_lower(hd_space *s, const hd_goals *g, const hd_cover_watch *watch)
{
    uint32_t best = ends_at_one_place(g);
    best = best || !s->net->goals.count ? best : 1;
    watch->bounds(watch->context, best, 0);
    for (uint32_t a = 0; a < g->group_count && a < GROUPS_AT_MOST; a++)
        for (uint32_t b = a + 1; b < g->group_count && b < GROUPS_AT_MOST; b++) {
            bool hopeless = g->group[a + 1] - g->group[a] + g->group[b + 1] - g->group[b] <= best;
            uint32_t bound = hopeless ? 0 : ends_of_two(s, g, a, b, watch);
            best = bound > best ? bound : best;
            watch->bounds(watch->context, best, 0);
        }
    return best;
}
