/* Operations as accesses to the objects of an unfolding.
 *
 * A cell of memory is one object per set of bytes that are always accessed
 * together: two variables in one cell have nothing to do with each other. When an
 * access shows that bytes taken to be one are not, what was unfolded before is
 * void (hd_accesses_learn).
 *
 * What a step does to the first thing that it accesses may depend on what it finds
 * later, or on inputs: an atomic block looks at one variable and then changes
 * another, an update changes something or not. Such steps count as changing all that
 * they access. A branch on inputs inside a step is part of it. That a step has such branches is learned by
 * place in the program, in the same way.
 *
 * An object that starts with another value, like a semaphore, because inputs say so or because it was
 * initialised again, is another object. */
#ifndef HD_UNFOLDER_ACCESSES_H
#define HD_UNFOLDER_ACCESSES_H

#include "base/map.h"
#include "event/op.h"
#include "event/plan.h"
#include "unfold/unfold.h"

/* An object that starts at a value, from the entry of the log on at which it was found with a value that those
 * before it do not explain. */
typedef struct hd_object_life {
    uint64_t key;
    uint32_t entry;
    int32_t initial, value;
} hd_object_life;

typedef struct hd_accesses {
    hd_map numbers; /* key of an object → its number */
    hd_map cells; /* cell → per byte the part it belongs to, from 1; 0: not accessed yet */
    hd_map habits; /* places → what steps do there */
    bool has_values; /* objects that start at a value: semaphores */
    hd_vec(hd_object_life) lives; /* of such objects in the execution */
    hd_vec(hd_unfold_access) step; /* of the step that was translated last */
} hd_accesses;

void hd_accesses_init(hd_accesses *a, hd_memory *memory);
void hd_accesses_fini(hd_accesses *a);

/* The unfolding is another one: objects have no numbers in it yet. */
void hd_accesses_forget_numbers(hd_accesses *a);

/* Takes note of the bytes that the execution accesses from this entry of its log on, and of what branches; false:
 * it is not as it was taken to be. */
bool hd_accesses_learn(hd_accesses *a, const hd_execution *e, uint32_t from);

/* What the operations of one step of the execution access; those that continue it are found
 * among `count`. The result is in a->step; the `key` of a branch in it is its
 * number among the operations. */
void hd_accesses_translate(hd_accesses *a, hd_unfolding *u, const hd_op *ops, uint32_t count, const hd_execution *e);

/* A step that begins like this one counts as changing all that it accesses; true: that
 * is new, and what was unfolded before is void. */
bool hd_accesses_mark_changing(hd_accesses *a, const hd_op *first);

/* Does the update count as a change, although with other inputs it may be none? */
bool hd_accesses_is_undecided(const hd_accesses *a, const hd_op *update);

/* A branch as an access. */
hd_unfold_access hd_accesses_branch(const hd_op *branch, const hd_execution *e);

/* Numbers for what threads wait for: another's end, its n-th arrival at a barrier. */
uint32_t hd_accesses_end_of(hd_accesses *a, hd_unfolding *u, uint32_t thread);
uint32_t hd_accesses_arrival(hd_accesses *a, hd_unfolding *u, uint64_t barrier, uint32_t thread, uint32_t round);

#endif
