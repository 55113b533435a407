/* The sides of branches that random exploration has not taken yet.
 *
 * Executions form a tree of paths: a node in it is the branches that lead up to
 * it, as a number. At each node, the values that a branch has had or is planned
 * to have are kept; a side is another value, found by solving, with the inputs
 * that lead there and the schedule up to it. Sides wait in a pool. If that has
 * a bound, what finds no room in it is found again when an execution passes.
 */
#ifndef HD_SAMPLERS_SIDES_H
#define HD_SAMPLERS_SIDES_H

#include "base/rng.h"
#include "inputs/path.h"

typedef struct hd_side {
    hd_given *given;
    hd_choice *prefix;
    uint32_t given_count, prefix_count;
} hd_side;

typedef struct hd_sides {
    hd_memory *memory;
    hd_map nodes; /* → its first value, in `values`, + 1 */
    hd_vec(struct {
        uint64_t value;
        uint32_t next; /* value of the same node, + 1 */
        bool last; /* there are no others */
    }) values;
    hd_vec(hd_side) pool;
    hd_given_list given;
    hd_vec(uint64_t) seen;
} hd_sides;

void hd_sides_init(hd_sides *s, hd_memory *memory);
void hd_sides_fini(hd_sides *s);

/* Notes the path that an execution took, and finds sides of it, while there are
 * fewer than `most` in the pool. */
void hd_sides_learn(hd_sides *s, hd_path *path, const hd_execution *e, size_t most);

/* Takes one out, the last (any: NULL) or any; release it when it has been run. */
bool hd_sides_take(hd_sides *s, hd_rng *any, hd_side *out);
void hd_side_release(hd_side *side, hd_memory *memory);

#endif
