#include "explore/visited.h"

#include <string.h>

/* COST_BITS: the bits of a value that are the cost plus one; the others check the key. */
enum { COST_BITS = 16, MOST_COST = (1 << COST_BITS) - 2 };

void hd_visited_init(hd_visited *v, size_t most, hd_memory *memory)
{
    memset(v, 0, sizeof *v);
    v->most = most;
    hd_map_init(&v->nodes, memory);
    v->sums.memory = memory;
    hd_vec_push(&v->sums, ((hd_visited_sum) { 0, 0 }));
}

void hd_visited_fini(hd_visited *v)
{
    hd_map_fini(&v->nodes);
    hd_vec_fini(&v->sums);
}

void hd_visited_clear(hd_visited *v)
{
    hd_map_clear(&v->nodes);
    v->sums.count = 1;
}

/* What the step does, and what happens before it. The width of clocks may change, so entries of 0 must not count. */
static uint64_t step_hash(const hd_trace *t, uint32_t item, uint64_t salt)
{
    const hd_item *step = &t->items.items[item];
    const hd_op *op = &t->ops.items[step->access];
    const uint32_t *clock = hd_trace_clock(t, item);
    uint64_t past = hd_hash(op->object ^ salt) ^ (uint64_t)op->kind << 8 ^ (uint64_t)op->mask << 16 ^ step->choice;
    for (uint32_t i = 0; i < t->width; i++)
        if (clock[i])
            past += hd_hash(salt + ((uint64_t)i << 32 | clock[i]));
    return hd_hash(past + hd_hash(salt ^ ((uint64_t)step->thread << 32 | step->number)));
}

void hd_visited_extend(hd_visited *v, const hd_trace *t, uint32_t step)
{
    v->sums.count = step + 1;
    for (; step < t->steps.count; step++) {
        hd_visited_sum sum = *hd_vec_last(&v->sums);
        sum.key += step_hash(t, t->steps.items[step], 0x243f6a8885a308d3u);
        sum.check += step_hash(t, t->steps.items[step], 0x13198a2e03707344u);
        hd_vec_push(&v->sums, sum);
    }
}

static uint64_t key_of(const hd_visited_sum *sum, int favourite)
{
    return hd_hash(sum->key ^ hd_hash((uint64_t)(favourite + 2)));
}

static uint64_t value_of(const hd_visited_sum *sum, uint32_t cost)
{
    return (sum->check >> COST_BITS << COST_BITS) | (cost + 1);
}

static bool is_covered(const hd_visited *v, const hd_visited_sum *sum, int favourite, uint32_t cost)
{
    const uint64_t *known = hd_map_get(&v->nodes, key_of(sum, favourite));
    return known && *known <= value_of(sum, cost) && *known >> COST_BITS == sum->check >> COST_BITS;
}

/* If another trace has the same key, which hardly happens, that one stays. */
static void note(hd_visited *v, const hd_visited_sum *sum, int favourite, uint32_t cost)
{
    uint64_t value = value_of(sum, cost), *known = hd_map_get(&v->nodes, key_of(sum, favourite));
    if (!known && v->nodes.count < v->most)
        *hd_map_put(&v->nodes, key_of(sum, favourite)) = value;
    else if (known && *known >> COST_BITS == value >> COST_BITS && value < *known)
        *known = value;
}

bool hd_visited_enter(hd_visited *v, uint32_t step, int favourite, uint32_t cost, uint32_t detour)
{
    const hd_visited_sum *sum = &v->sums.items[step];
    if (cost + detour > MOST_COST)
        return true;
    if (is_covered(v, sum, favourite, cost) || is_covered(v, sum, HD_NO_FAVOURITE, cost))
        return false;
    note(v, sum, favourite, cost);
    if (favourite != HD_NO_FAVOURITE)
        note(v, sum, HD_NO_FAVOURITE, cost + detour);
    return true;
}
