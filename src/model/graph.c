#include "model/graph.h"

#include "abi/valid.h"
#include "base/map.h"

#include <string.h>

struct hd_model_graph {
    hd_arena arena;
    hd_vec(hd_model_node) nodes;
    uint32_t *slots; /* node + 1; 0: free */
    size_t room;
    uint64_t bytes;
};

hd_model_graph *hd_model_graph_open(void)
{
    hd_model_graph *g = hd_alloc(&hd_heap, sizeof *g);
    hd_arena_init(&g->arena, &hd_heap);
    return g;
}

void hd_model_graph_close(hd_model_graph *g)
{
    hd_arena_fini(&g->arena);
    hd_vec_fini(&g->nodes);
    hd_release(&hd_heap, g->slots, g->room * sizeof *g->slots);
    hd_release(&hd_heap, g, sizeof *g);
}

const hd_model_node *hd_model_graph_node(const hd_model_graph *g, uint32_t node)
{
    return &g->nodes.items[node];
}

uint64_t hd_model_graph_count(const hd_model_graph *g)
{
    return g->nodes.count;
}

uint64_t hd_model_graph_bytes(const hd_model_graph *g)
{
    return g->bytes;
}

void hd_model_graph_clear(hd_model_graph *g)
{
    hd_arena_fini(&g->arena);
    hd_vec_clear(&g->nodes);
    if (g->room)
        memset(g->slots, 0, g->room * sizeof *g->slots);
    g->bytes = 0;
}

/* Open addressing, at most half full; nodes keep their hashes, so that keys are not read again. */
static void grow(hd_model_graph *g)
{
    size_t room = g->room ? g->room * 2 : 1024;
    hd_release(&hd_heap, g->slots, g->room * sizeof *g->slots);
    g->slots = hd_alloc(&hd_heap, room * sizeof *g->slots);
    g->room = room;
    for (size_t n = 0; n < g->nodes.count; n++) {
        size_t i = g->nodes.items[n].hash & (room - 1);
        while (g->slots[i])
            i = (i + 1) & (room - 1);
        g->slots[i] = (uint32_t)n + 1;
    }
}

/* The node's slot, or the free one where it belongs. */
static size_t slot_of(const hd_model_graph *g, uint64_t hash, const uint8_t *key, uint32_t size)
{
    size_t i = hash & (g->room - 1);
    for (; g->slots[i]; i = (i + 1) & (g->room - 1)) {
        const hd_model_node *n = &g->nodes.items[g->slots[i] - 1];
        /* Hashes may collide: keys are compared. */
        if (n->hash == hash && n->size == size && !memcmp(n->key, key, size))
            break;
    }
    return i;
}

uint32_t hd_model_graph_put(hd_model_graph *g, const uint8_t *key, uint32_t size, bool *added)
{
    if ((g->nodes.count + 1) * 2 > g->room)
        grow(g);
    uint64_t hash = hd_hash_bytes(key, size, 7);
    size_t i = slot_of(g, hash, key, size);
    *added = !g->slots[i];
    if (!*added)
        return g->slots[i] - 1;
    /* One byte more, so that an empty key is a block as well. */
    hd_model_node n = { .hash = hash, .size = size, .parent = UINT32_MAX, .key = hd_arena_alloc(&g->arena, size + 1) };
    memcpy(n.key, key, size);
    hd_vec_push(&g->nodes, n);
    g->bytes += sizeof n + 2 * sizeof *g->slots + size;
    g->slots[i] = (uint32_t)g->nodes.count;
    hd_check_valid(hd_model_graph_is_valid(g), g->room + 8 * g->nodes.count, g->nodes.count);
    return g->slots[i] - 1;
}

void hd_model_graph_reached(hd_model_graph *g, uint32_t node, uint32_t parent, const hd_model_moves *moves,
    const hd_model_order *order, size_t order_size)
{
    hd_model_node *n = &g->nodes.items[node];
    n->parent = parent;
    n->move_count = (uint32_t)moves->count;
    n->moves = hd_arena_alloc(&g->arena, (moves->count + 1) * sizeof *n->moves);
    if (moves->count)
        memcpy(n->moves, moves->items, moves->count * sizeof *n->moves);
    g->bytes += moves->count * sizeof *n->moves;
    if (!order)
        return;
    n->order = hd_arena_alloc(&g->arena, order_size);
    memcpy(n->order, order, order_size);
    g->bytes += order_size;
}

bool hd_model_graph_is_valid(const hd_model_graph *g)
{
    size_t indexed = 0;
    for (size_t i = 0; i < g->room; i++) {
        indexed += g->slots[i] != 0;
        if (g->slots[i] > g->nodes.count)
            return false;
    }
    if (indexed != g->nodes.count || indexed * 2 > g->room)
        return false;
    for (uint32_t i = 0; i < g->nodes.count; i++) {
        const hd_model_node *n = &g->nodes.items[i];
        if (n->hash != hd_hash_bytes(n->key, n->size, 7) || g->slots[slot_of(g, n->hash, n->key, n->size)] != i + 1
            || (n->parent != UINT32_MAX && n->parent >= i))
            return false;
    }
    return true;
}
