/* Operations as accesses to the objects of an unfolding.
 *
 * A cell of memory is divided into objects: sets of bytes that are always accessed together. So two variables in one
 * cell are independent. When an access splits such a set, the net must be rebuilt (hd_accesses_learn).
 *
 * What a step does to the first object may depend on what it finds later, or on inputs: an atomic block reads one
 * variable and then changes another; an update changes its cell or not. Such steps count as changing all objects that
 * they access, so that everything that decides them is in their past. A branch on inputs inside a step is part of it.
 * Which steps have such branches is learned per source location, and the net is rebuilt then, too.
 *
 * A semaphore that starts with another value, because of inputs or because it was initialised again, is another object
 * (docs/algorithms/unfold.md, "Bytes", "Steps that depend on inputs"). */
#ifndef HD_UNFOLDER_ACCESSES_H
#define HD_UNFOLDER_ACCESSES_H

#include "base/map.h"
#include "event/op.h"
#include "event/plan.h"
#include "unfold/unfold.h"

/* The life of an object that starts with a value: from the first entry of the log at which it has a value that the
 * operations before do not explain. */
typedef struct hd_object_life {
    uint64_t key;
    uint32_t entry;
    int32_t initial, value;
} hd_object_life;

typedef struct hd_accesses {
    hd_map numbers; /* key of an object → its number */
    hd_map cells; /* cell → per byte the part that it belongs to, from 1; 0: not accessed yet */
    hd_map habits; /* source location → what its steps do, as bits */
    bool has_values; /* there are objects that start with a value: semaphores */
    hd_vec(hd_object_life) lives; /* of such objects in the execution */
    hd_vec(hd_unfold_access) step; /* the accesses of the step that was translated last */
    hd_vec(uint32_t) places; /* by object: where in `step` its access is, if it is there */
} hd_accesses;

void hd_accesses_init(hd_accesses *a, hd_memory *memory);
void hd_accesses_fini(hd_accesses *a);

/* The unfolding was discarded: objects have no numbers yet. */
void hd_accesses_forget_numbers(hd_accesses *a);

/* Learns the bytes that the execution accesses from this entry of its log on, and the steps that branch; false: the net
 * was built on less, and must be rebuilt. */
bool hd_accesses_learn(hd_accesses *a, const hd_execution *e, uint32_t from);

/* Translates one step of the execution: the first of the `count` operations, and those that continue it. The result is
 * in a->step. The `key` of a branch in it is its index among the operations. */
void hd_accesses_translate(hd_accesses *a, hd_unfolding *u, const hd_op *ops, uint32_t count, const hd_execution *e);

/* Steps that begin at the same source location count as changing all that they access from now on; true: that is new,
 * and the net must be rebuilt. */
bool hd_accesses_mark_changing(hd_accesses *a, const hd_op *first);

/* Does the update count as a change because with other inputs it may be one? */
bool hd_accesses_is_undecided(const hd_accesses *a, const hd_op *update);

/* A branch as an access. */
hd_unfold_access hd_accesses_branch(const hd_op *branch, const hd_execution *e);

/* Object numbers for what threads wait for: the end of a life of a thread, its n-th arrival at a barrier. */
uint32_t hd_accesses_end_of(hd_accesses *a, hd_unfolding *u, uint32_t thread, uint32_t life);
uint32_t hd_accesses_arrival(hd_accesses *a, hd_unfolding *u, uint64_t barrier, uint32_t thread, uint32_t round);

#endif
