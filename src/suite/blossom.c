/* Maximum matching in a general graph (Edmonds 1965, the blossom algorithm), for goals of which no three
 * fit into one test (docs/algorithms/suite.md, `exact`, step 3). From each unmatched node an
 * alternating tree is grown breadth first; odd cycles (blossoms) are contracted to their base. A
 * tree that reaches another unmatched node yields an augmenting path, which is flipped. A tree that
 * does not (a Hungarian tree) stays useless for all later searches, so its nodes are removed from
 * the graph. */
#include "suite/graph.h"
#include "suite/matching.h"

#include <string.h>

typedef struct search {
    const hd_suite_graph *graph;
    uint32_t *partner;
    uint32_t *parent; /* the outer node from which an inner node was reached */
    uint32_t *base; /* base of the blossom that contains the node; the node itself if there is none */
    /* outer: at even distance from the root; out: removed from the graph. */
    bool *outer, *out;
    uint32_t *stamp, round; /* marks of the current search for a common ancestor */
    hd_vec(uint32_t) queue, seen;
} search;

/* Union-find with path halving: nested blossoms are followed to the outermost base. */
static uint32_t base_of(search *s, uint32_t node)
{
    while (s->base[node] != node) {
        s->base[node] = s->base[s->base[node]];
        node = s->base[node];
    }
    return node;
}

/* The lowest common ancestor of a and b in the tree, as a base. Both paths are walked in turn, so
 * the cost is proportional to the blossom and not to the tree. */
static uint32_t meeting(search *s, uint32_t a, uint32_t b)
{
    s->round++;
    while (true) {
        if (a != HD_UNMATCHED) {
            a = base_of(s, a);
            if (s->stamp[a] == s->round)
                return a;
            s->stamp[a] = s->round;
            a = s->partner[a] == HD_UNMATCHED ? HD_UNMATCHED : s->parent[s->partner[a]];
        }
        uint32_t swap = a;
        a = b;
        b = swap;
    }
}

static void see(search *s, uint32_t node)
{
    hd_vec_push(&s->seen, node);
}

/* Outer nodes are queued: the tree grows from them. */
static void make_outer(search *s, uint32_t node)
{
    if (s->outer[node])
        return;
    s->outer[node] = true;
    hd_vec_push(&s->queue, node);
}

/* Contracts one side of a blossom: all nodes from `node` down to `base` get that base. Inner nodes
 * become outer: they are reached around the cycle, through `from`. */
static void contract(search *s, uint32_t node, uint32_t from, uint32_t base)
{
    while (base_of(s, node) != base) {
        uint32_t other = s->partner[node];
        s->parent[node] = from;
        from = other;
        make_outer(s, other);
        s->base[base_of(s, node)] = base;
        s->base[base_of(s, other)] = base;
        node = s->parent[other];
    }
}

/* Flips the augmenting path that ends in `node`. */
static void turn_over(search *s, uint32_t node)
{
    while (node != HD_UNMATCHED) {
        uint32_t before = s->parent[node], next = s->partner[before];
        s->partner[node] = before;
        s->partner[before] = node;
        node = next;
    }
}

/* Follows an edge from an outer node. True: it led to an unmatched node, and the path has been flipped. */
static bool follow(search *s, uint32_t from, uint32_t to)
{
    /* Removed nodes, edges inside a blossom and matched edges lead nowhere. */
    if (s->out[to] || base_of(s, from) == base_of(s, to) || s->partner[from] == to)
        return false;
    /* Two outer nodes of one tree: an odd cycle. */
    if (s->outer[to]) {
        uint32_t base = meeting(s, from, to);
        contract(s, from, to, base);
        contract(s, to, from, base);
        return false;
    }
    /* Already an inner node of the tree. */
    if (s->parent[to] != HD_UNMATCHED)
        return false;
    s->parent[to] = from;
    see(s, to);
    if (s->partner[to] == HD_UNMATCHED) {
        turn_over(s, to);
        return true;
    }
    /* Grow by two: `to` becomes inner, its partner outer. */
    see(s, s->partner[to]);
    make_outer(s, s->partner[to]);
    return false;
}

static bool grow(search *s, uint32_t root)
{
    hd_vec_clear(&s->queue);
    hd_vec_clear(&s->seen);
    see(s, root);
    make_outer(s, root);
    for (size_t i = 0; i < s->queue.count; i++) {
        uint32_t from = s->queue.items[i];
        for (uint64_t k = s->graph->starts[from]; k < s->graph->starts[from + 1]; k++)
            if (follow(s, from, s->graph->neighbours[k]))
                return true;
    }
    return false;
}

/* Resets only what the tree touched. After a failure its nodes are removed. */
static void clear_away(search *s, bool found)
{
    for (size_t i = 0; i < s->seen.count; i++) {
        uint32_t node = s->seen.items[i];
        s->parent[node] = HD_UNMATCHED;
        s->base[node] = node;
        s->outer[node] = false;
        s->out[node] |= !found;
    }
}

static uint32_t match_greedily(const hd_suite_graph *g, const bool *out, uint32_t *partner)
{
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < g->count; a++)
        for (uint64_t k = g->starts[a]; k < g->starts[a + 1] && partner[a] == HD_UNMATCHED && !out[a]; k++) {
            uint32_t b = g->neighbours[k];
            if (out[b] || partner[b] != HD_UNMATCHED)
                continue;
            partner[a] = b;
            partner[b] = a;
            pairs++;
        }
    return pairs;
}

uint32_t hd_suite_graph_match(const hd_suite_graph *g, const bool *out, uint32_t *partner)
{
    size_t room = g->count + 1;
    search s = { .graph = g, .partner = partner };
    s.parent = hd_alloc(&hd_heap, room * sizeof *s.parent);
    s.base = hd_alloc(&hd_heap, room * sizeof *s.base);
    s.stamp = hd_alloc(&hd_heap, room * sizeof *s.stamp);
    s.outer = hd_alloc(&hd_heap, room);
    s.out = hd_alloc(&hd_heap, room);
    for (uint32_t i = 0; i < g->count; i++) {
        partner[i] = s.parent[i] = HD_UNMATCHED;
        s.base[i] = i;
        s.out[i] = out && out[i];
    }
    /* A greedy matching first: it usually leaves few nodes to search from. */
    uint32_t pairs = match_greedily(g, s.out, partner);
    for (uint32_t i = 0; i < g->count; i++) {
        if (s.out[i] || partner[i] != HD_UNMATCHED)
            continue;
        bool found = grow(&s, i);
        pairs += found;
        clear_away(&s, found);
    }
    hd_release(&hd_heap, s.parent, room * sizeof *s.parent);
    hd_release(&hd_heap, s.base, room * sizeof *s.base);
    hd_release(&hd_heap, s.stamp, room * sizeof *s.stamp);
    hd_release(&hd_heap, s.outer, room);
    hd_release(&hd_heap, s.out, room);
    hd_vec_fini(&s.queue);
    hd_vec_fini(&s.seen);
    return pairs;
}
