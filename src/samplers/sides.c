#include "samplers/sides.h"

#include <string.h>

struct hd_sides {
    hd_memory *memory;
    hd_map nodes; /* node → its first value in `values`, + 1 */
    hd_vec(struct {
        uint64_t value;
        uint32_t next; /* the next value of the same node, + 1 */
        bool last; /* the solver has found no other value */
    }) values;
    hd_vec(hd_side) pool;
    hd_given_list given;
    hd_vec(uint64_t) seen;
};

hd_sides *hd_sides_open(hd_memory *memory)
{
    hd_sides *s = hd_alloc(memory, sizeof *s);
    s->memory = s->pool.memory = s->values.memory = s->given.memory = s->seen.memory = memory;
    hd_map_init(&s->nodes, memory);
    return s;
}

void hd_sides_close(hd_sides *s)
{
    for (size_t i = 0; i < s->pool.count; i++)
        hd_side_release(&s->pool.items[i], s->memory);
    hd_vec_fini(&s->pool);
    hd_map_fini(&s->nodes);
    hd_vec_fini(&s->values);
    hd_vec_fini(&s->given);
    hd_vec_fini(&s->seen);
    hd_release(s->memory, s, sizeof *s);
}

size_t hd_sides_count(const hd_sides *s)
{
    return s->pool.count;
}

void hd_side_release(hd_side *side, hd_memory *memory)
{
    hd_release(memory, side->given, side->given_count * sizeof *side->given);
    hd_release(memory, side->prefix, side->prefix_count * sizeof *side->prefix);
    *side = (hd_side) { 0 };
}

static uint64_t node_after(uint64_t node, const hd_path_branch *b)
{
    return hd_hash(node ^ hd_hash((uint64_t)(uintptr_t)b->site ^ (uint64_t)b->thread << 48) ^ hd_hash(b->value));
}

/* Returns whether the value is new at this node. */
static bool add_value(hd_sides *s, uint64_t node, uint64_t value)
{
    uint64_t *first = hd_map_put(&s->nodes, node);
    for (uint64_t i = *first; i; i = s->values.items[i - 1].next)
        if (s->values.items[i - 1].value == value)
            return false;
    hd_vec_add(&s->values);
    hd_vec_last(&s->values)->value = value;
    hd_vec_last(&s->values)->next = (uint32_t)*first;
    hd_vec_last(&s->values)->last = *first && s->values.items[*first - 1].last;
    *first = s->values.count;
    return true;
}

/* The known values at the node; false: there are no others. */
static bool collect_seen(hd_sides *s, uint64_t node, uint32_t width)
{
    uint64_t first = *hd_map_put(&s->nodes, node);
    hd_vec_clear(&s->seen);
    if (first && s->values.items[first - 1].last)
        return false;
    for (uint64_t i = first; i; i = s->values.items[i - 1].next)
        hd_vec_push(&s->seen, s->values.items[i - 1].value);
    return width > 1 || s->seen.count < 2;
}

static void *copy(hd_memory *memory, const void *from, size_t size)
{
    return size ? memcpy(hd_alloc(memory, size), from, size) : NULL;
}

/* The choices of the first `count` steps. */
static hd_choice *copy_schedule(hd_memory *memory, const hd_execution *e, uint32_t count)
{
    hd_choice *to = count ? hd_alloc(memory, count * sizeof *to) : NULL;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < e->log_count && steps < count; i++)
        if (hd_op_is_done(&e->log[i]) && !(e->log[i].flags & HD_OP_CONTINUES))
            to[steps++] = (hd_choice) { e->log[i].thread, e->log[i].choice };
    return to;
}

static void add_side(hd_sides *s, const hd_execution *e, uint32_t position)
{
    hd_side side = { .given = copy(s->memory, s->given.items, s->given.count * sizeof(hd_given)),
        .given_count = (uint32_t)s->given.count,
        .prefix = copy_schedule(s->memory, e, position),
        .prefix_count = position };
    hd_vec_push(&s->pool, side);
}

/* Asks the solver for another value of the branch. */
static void look_aside(hd_sides *s, hd_path *path, size_t index, uint64_t node, const hd_execution *e)
{
    const hd_path_branch *b = &path->branches.items[index];
    uint64_t other = 0;
    if (!b->open || !collect_seen(s, node, hd_term_at(&path->terms, b->term)->width))
        return;
    if (hd_path_solve(path, index, s->seen.items, s->seen.count, &s->given, &other) != HD_SAT) {
        s->values.items[*hd_map_put(&s->nodes, node) - 1].last = true;
        return;
    }
    add_value(s, node, other);
    add_side(s, e, b->position);
}

void hd_sides_learn(hd_sides *s, hd_path *path, const hd_execution *e, size_t most)
{
    uint64_t node = 1;
    for (size_t i = 0; i < path->branches.count; i++) {
        const hd_path_branch *b = &path->branches.items[i];
        uint64_t here = hd_hash(node ^ (uint64_t)(uintptr_t)b->site ^ (uint64_t)b->thread << 48);
        add_value(s, here, b->value);
        if (s->pool.count < most)
            look_aside(s, path, i, here, e);
        node = node_after(node, b);
    }
}

bool hd_sides_take(hd_sides *s, hd_rng *any, hd_side *out)
{
    if (!s->pool.count)
        return false;
    size_t i = any ? hd_rng_below(any, s->pool.count) : s->pool.count - 1;
    *out = s->pool.items[i];
    s->pool.items[i] = *hd_vec_last(&s->pool);
    s->pool.count--;
    return true;
}
