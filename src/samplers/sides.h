/* The sides of branches that random exploration has not taken yet (docs/algorithms/inputs.md).
 *
 * Executions form a tree of paths; a node is a hash of the branches that lead to it. For each node, the values that its
 * branch has had or is planned to have are kept. A side is another value, found by solving, with the inputs that lead
 * to it and the schedule up to it. Sides wait in a pool. If the pool is full, a side is dropped, and found again when
 * another execution passes its node. */
#ifndef HD_SAMPLERS_SIDES_H
#define HD_SAMPLERS_SIDES_H

#include "base/rng.h"
#include "inputs/path.h"

typedef struct hd_side {
    hd_given *given;
    hd_choice *prefix;
    uint32_t given_count, prefix_count;
} hd_side;

typedef struct hd_sides hd_sides;

hd_sides *hd_sides_open(hd_memory *memory);
void hd_sides_close(hd_sides *s);

/* The number of sides in the pool. */
size_t hd_sides_count(const hd_sides *s);

/* Adds the path of an execution, and sides of its branches while the pool has fewer than `most`. */
void hd_sides_learn(hd_sides *s, hd_path *path, const hd_execution *e, size_t most);

/* Removes a side from the pool: a random one, or the last if `any` is NULL. Release it when it has been run. */
bool hd_sides_take(hd_sides *s, hd_rng *any, hd_side *out);
void hd_side_release(hd_side *side, hd_memory *memory);

#endif
