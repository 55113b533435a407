#include "suite/matching.h"

#include <string.h>

enum { FAR = 0xffffffffu };

void hd_suite_bipartite_init(hd_suite_bipartite *b, uint32_t left_count, uint32_t right_count)
{
    *b = (hd_suite_bipartite) { .left_count = left_count, .right_count = right_count };
    b->left = hd_alloc(&hd_heap, (left_count + 1) * sizeof *b->left);
    b->right = hd_alloc(&hd_heap, (right_count + 1) * sizeof *b->right);
    memset(b->left, 0xff, left_count * sizeof *b->left);
    memset(b->right, 0xff, right_count * sizeof *b->right);
    hd_vec_push(&b->starts, 0);
}

void hd_suite_bipartite_fini(hd_suite_bipartite *b)
{
    hd_vec_fini(&b->starts);
    hd_vec_fini(&b->edges);
    hd_release(&hd_heap, b->left, (b->left_count + 1) * sizeof *b->left);
    hd_release(&hd_heap, b->right, (b->right_count + 1) * sizeof *b->right);
}

/* A greedy start: any free partner. */
static uint32_t match_greedily(hd_suite_bipartite *b)
{
    uint32_t pairs = 0;
    for (uint32_t l = 0; l < b->left_count; l++)
        for (uint64_t i = b->starts.items[l]; i < b->starts.items[l + 1] && b->left[l] == HD_UNMATCHED; i++) {
            uint32_t r = b->edges.items[i];
            if (b->right[r] != HD_UNMATCHED)
                continue;
            b->right[r] = l;
            b->left[l] = r;
            pairs++;
        }
    return pairs;
}

/* Breadth-first layers: the distance of each left node from a free left node along alternating
 * paths. False: no free right node is reachable, so the matching is maximum. */
static bool measure(const hd_suite_bipartite *b, uint32_t *distance, uint32_t *queue)
{
    uint32_t first = 0, last = 0;
    bool reached = false;
    for (uint32_t l = 0; l < b->left_count; l++) {
        distance[l] = b->left[l] == HD_UNMATCHED ? 0 : FAR;
        if (!distance[l])
            queue[last++] = l;
    }
    while (first < last) {
        uint32_t l = queue[first++];
        for (uint64_t i = b->starts.items[l]; i < b->starts.items[l + 1]; i++) {
            uint32_t next = b->right[b->edges.items[i]];
            if (next == HD_UNMATCHED) {
                reached = true;
            } else if (distance[next] == FAR) {
                distance[next] = distance[l] + 1;
                queue[last++] = next;
            }
        }
    }
    return reached;
}

/* Depth-first search for an augmenting path within the layers, which is then flipped. Iterative:
 * `at` is the next edge of each node. A node without a path is put out of reach (FAR), so a phase
 * takes time linear in the edges. */
static bool augment(hd_suite_bipartite *b, uint32_t root, uint32_t *distance, uint64_t *at, uint32_t *path)
{
    uint32_t depth = 0;
    path[0] = root;
    while (true) {
        uint32_t l = path[depth];
        if (at[l] == b->starts.items[l + 1]) {
            distance[l] = FAR;
            if (depth-- == 0)
                return false;
            at[path[depth]]++;
            continue;
        }
        uint32_t r = b->edges.items[at[l]], next = b->right[r];
        if (next == HD_UNMATCHED) {
            for (uint32_t i = depth + 1; i-- > 0;) {
                uint32_t taken = b->edges.items[at[path[i]]];
                b->left[path[i]] = taken;
                b->right[taken] = path[i];
            }
            return true;
        }
        /* Only edges to the next layer: paths stay shortest. */
        if (distance[next] == distance[l] + 1)
            path[++depth] = next;
        else
            at[l]++;
    }
}

uint32_t hd_suite_bipartite_match(hd_suite_bipartite *b)
{
    size_t room = b->left_count + 1;
    uint32_t *distance = hd_alloc(&hd_heap, room * sizeof *distance);
    uint32_t *queue = hd_alloc(&hd_heap, room * sizeof *queue);
    uint64_t *at = hd_alloc(&hd_heap, room * sizeof *at);
    uint32_t pairs = match_greedily(b);
    while (measure(b, distance, queue)) {
        uint32_t before = pairs;
        /* A phase: all augmenting paths of the current shortest length. */
        memcpy(at, b->starts.items, b->left_count * sizeof *at);
        for (uint32_t l = 0; l < b->left_count; l++)
            if (b->left[l] == HD_UNMATCHED)
                pairs += augment(b, l, distance, at, queue);
        if (pairs == before)
            break;
    }
    hd_release(&hd_heap, distance, room * sizeof *distance);
    hd_release(&hd_heap, queue, room * sizeof *queue);
    hd_release(&hd_heap, at, room * sizeof *at);
    return pairs;
}

/* König's theorem: the complement of a minimum vertex cover. Left nodes that alternating paths from
 * free left nodes reach, and right nodes that they do not reach. No edge joins two of them: the right end
 * of an edge from a reached left node is reached. Of each matched pair exactly one node is in the set, and
 * every unmatched node is: the set has (nodes - pairs) elements, and no independent set has more. */
void hd_suite_bipartite_independent(const hd_suite_bipartite *b, bool *left, bool *right)
{
    size_t room = b->left_count + 1;
    uint32_t *distance = hd_alloc(&hd_heap, room * sizeof *distance);
    uint32_t *queue = hd_alloc(&hd_heap, room * sizeof *queue);
    measure(b, distance, queue);
    memset(right, 1, b->right_count);
    for (uint32_t l = 0; l < b->left_count; l++) {
        left[l] = distance[l] != FAR;
        for (uint64_t i = b->starts.items[l]; left[l] && i < b->starts.items[l + 1]; i++)
            right[b->edges.items[i]] = false;
    }
    hd_release(&hd_heap, distance, room * sizeof *distance);
    hd_release(&hd_heap, queue, room * sizeof *queue);
}
