#include "suite/index.h"

#include <stdlib.h>
#include <string.h>

uint32_t hd_cone_at(const hd_cone *c, uint32_t place)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->items[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->items[low].place == place ? c->items[low].use : HD_NO_USE;
}

/* The place at which the cones have the most different last uses. */
static uint32_t telling_place(const hd_problem *n, const hd_cone *cones, uint32_t count, uint32_t home)
{
    bool *seen = hd_alloc(&hd_heap, n->uses.count + 1);
    uint32_t *different = hd_alloc(&hd_heap, (n->place_count + 1) * sizeof *different);
    uint32_t best = home ? 0 : 1;
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < cones[i].count; k++) {
            hd_mark m = cones[i].items[k];
            different[m.place] += !seen[m.use];
            seen[m.use] = true;
        }
    for (uint32_t p = 0; p < n->place_count; p++)
        if (p != home && different[p] > different[best])
            best = p;
    hd_release(&hd_heap, seen, n->uses.count + 1);
    hd_release(&hd_heap, different, (n->place_count + 1) * sizeof *different);
    return best;
}

typedef struct entry {
    uint32_t enter, cone;
} entry;

static int by_enter(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->enter != y->enter)
        return x->enter < y->enter ? -1 : 1;
    return x->cone < y->cone ? -1 : x->cone > y->cone;
}

void hd_index_init(hd_index *x, const hd_problem *n, const hd_cone *cones, uint32_t count, uint32_t home)
{
    *x = (hd_index) { .problem = n, .cones = cones, .count = count, .place = telling_place(n, cones, count, home) };
    entry *entries = hd_alloc(&hd_heap, (count + 1) * sizeof *entries);
    uint32_t last = count;
    x->sorted = hd_alloc(&hd_heap, (count + 1) * sizeof *x->sorted);
    x->enter = hd_alloc(&hd_heap, (count + 1) * sizeof *x->enter);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t use = hd_cone_at(&cones[i], x->place);
        if (use == HD_NO_USE)
            x->sorted[--last] = i;
        else
            entries[x->marked++] = (entry) { n->uses.items[use].enter, i };
    }
    if (x->marked)
        qsort(entries, x->marked, sizeof *entries, by_enter);
    for (uint32_t i = 0; i < x->marked; i++) {
        x->sorted[i] = entries[i].cone;
        x->enter[i] = entries[i].enter;
    }
    hd_release(&hd_heap, entries, (count + 1) * sizeof *entries);
}

void hd_index_fini(hd_index *x)
{
    hd_release(&hd_heap, x->sorted, (x->count + 1) * sizeof *x->sorted);
    hd_release(&hd_heap, x->enter, (x->count + 1) * sizeof *x->enter);
    hd_vec_fini(&x->found);
}

static uint32_t first_from(const hd_index *x, uint32_t enter)
{
    uint32_t low = 0, high = x->marked;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (x->enter[middle] < enter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void give_range(hd_index *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = first_from(x, from); i < x->marked && x->enter[i] < to; i++)
        hd_vec_push(&x->found, x->sorted[i]);
}

const uint32_t *hd_index_candidates(hd_index *x, const hd_cone *c, uint32_t *count)
{
    const hd_problem_use *uses = x->problem->uses.items;
    uint32_t use = hd_cone_at(c, x->place);
    hd_vec_clear(&x->found);
    /* The cone does not touch the place, so all are candidates. */
    if (use == HD_NO_USE) {
        *count = x->count;
        return x->sorted;
    }
    /* Descendants (and equal uses), then each ancestor, then cones that do not touch the place. */
    give_range(x, uses[use].enter, uses[use].leave);
    for (uint32_t u = uses[use].parent; u != HD_NO_USE; u = uses[u].parent)
        give_range(x, uses[u].enter, uses[u].enter + 1);
    for (uint32_t i = x->marked; i < x->count; i++)
        hd_vec_push(&x->found, x->sorted[i]);
    *count = (uint32_t)x->found.count;
    return x->found.items;
}
