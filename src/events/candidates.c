#include "events/candidates.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t enter, number;
} entry;

struct hd_candidates {
    const hd_trees *trees;
    uint32_t place, count;
    entry *entries; /* configurations that touch the place, by `enter`; then the others */
    uint32_t touching; /* how many touch the place */
    hd_vec(uint32_t) found;
};

/* The place at which the configurations have the most different last uses. */
static uint32_t telling_place(const hd_trees *t, const hd_configuration *all, uint32_t count, uint32_t home)
{
    bool *seen = hd_alloc(&hd_heap, t->uses.count + 1);
    uint32_t *different = hd_alloc(&hd_heap, (t->place_count + 1) * sizeof *different);
    uint32_t best = home ? 0 : 1;
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < all[i].count; k++) {
            hd_last_use last = all[i].items[k];
            different[last.place] += !seen[last.use];
            seen[last.use] = true;
        }
    for (uint32_t p = 0; p < t->place_count; p++)
        if (p != home && different[p] > different[best])
            best = p;
    hd_release(&hd_heap, seen, t->uses.count + 1);
    hd_release(&hd_heap, different, (t->place_count + 1) * sizeof *different);
    return best;
}

static int by_enter(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->enter != y->enter)
        return x->enter < y->enter ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

hd_candidates *hd_candidates_open(const hd_trees *t, const hd_configuration *all, uint32_t count, uint32_t home)
{
    hd_candidates *x = hd_alloc(&hd_heap, sizeof *x);
    *x = (hd_candidates) { .trees = t, .count = count, .place = telling_place(t, all, count, home) };
    uint32_t last = count;
    x->entries = hd_alloc(&hd_heap, (count + 1) * sizeof *x->entries);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t use = hd_configuration_at(&all[i], x->place);
        if (use == HD_NO_USE)
            x->entries[--last].number = i;
        else
            x->entries[x->touching++] = (entry) { t->uses.items[use].enter, i };
    }
    if (x->touching)
        qsort(x->entries, x->touching, sizeof *x->entries, by_enter);
    return x;
}

void hd_candidates_close(hd_candidates *x)
{
    hd_release(&hd_heap, x->entries, (x->count + 1) * sizeof *x->entries);
    hd_vec_fini(&x->found);
    hd_release(&hd_heap, x, sizeof *x);
}

static uint32_t first_from(const hd_candidates *x, uint32_t enter)
{
    uint32_t low = 0, high = x->touching;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (x->entries[middle].enter < enter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_range(hd_candidates *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = first_from(x, from); i < x->touching && x->entries[i].enter < to; i++)
        hd_vec_push(&x->found, x->entries[i].number);
}

const uint32_t *hd_candidates_of(hd_candidates *x, const hd_configuration *c, uint32_t *count)
{
    const hd_tree_use *uses = x->trees->uses.items;
    uint32_t use = hd_configuration_at(c, x->place);
    hd_vec_clear(&x->found);
    /* Descendants (and equal uses), then each ancestor, then configurations that do not touch the
     * place. If this configuration does not touch it, all are candidates. */
    if (use != HD_NO_USE)
        add_range(x, uses[use].enter, uses[use].leave);
    for (uint32_t u = use == HD_NO_USE ? use : uses[use].parent; u != HD_NO_USE; u = uses[u].parent)
        add_range(x, uses[u].enter, uses[u].enter + 1);
    for (uint32_t i = use == HD_NO_USE ? 0 : x->touching; i < x->count; i++)
        hd_vec_push(&x->found, x->entries[i].number);
    *count = (uint32_t)x->found.count;
    return x->found.items;
}
