/* Operations as accesses to the objects of an unfolding.
 *
 * A cell of memory is one object per set of bytes that are always accessed
 * together: two variables in one cell have nothing to do with each other. When an
 * access shows that bytes taken to be one are not, what was unfolded before is
 * void (hd_accesses_learn).
 *
 * What a step does may depend on a branch on inputs that comes behind its first
 * operation: whether an update changes anything, or what an atomic block goes on
 * with. It must not be one event here and another there because of inputs that
 * are no part of it. So an update that branches counts as a change, whatever it
 * does; and a step with a branch in its middle counts as changing all that it
 * accesses, and all branches up to its thread's next step are part of it. This is
 * learned by place in the program, in the same way. */
#ifndef HD_EXPLORE_ACCESSES_H
#define HD_EXPLORE_ACCESSES_H

#include "base/map.h"
#include "event/op.h"
#include "event/plan.h"
#include "unfold/unfold.h"

typedef struct hd_accesses {
    hd_map numbers; /* key of an object → its number */
    hd_map cells; /* cell → per byte the part it belongs to, from 1; 0: not accessed yet */
    hd_map branching; /* places → what branches there (hd_branching) */
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
 * among `count`. The result is in a->step; the `place` of a branch in it is its
 * number among the operations. */
void hd_accesses_translate(hd_accesses *a, hd_unfolding *u, const hd_op *ops, uint32_t count, const hd_execution *e);

/* Are branches behind the step part of it? */
bool hd_accesses_has_branches(const hd_accesses *a, const hd_op *first);

/* A branch as an access. */
hd_unfold_access hd_accesses_branch(const hd_op *branch, const hd_execution *e);

/* Numbers for what threads wait for: another's end, its n-th arrival at a barrier. */
uint32_t hd_accesses_end_of(hd_accesses *a, hd_unfolding *u, uint32_t thread);
uint32_t hd_accesses_arrival(hd_accesses *a, hd_unfolding *u, uint64_t barrier, uint32_t thread, uint32_t round);

#endif
