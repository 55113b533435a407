/* Atomic sequences under the reductions.
 *
 * Partial orders take a whole sequence as one step. What the step may use is
 * the union over its transitions, known beforehand for every control state
 * (hd_step_uses).
 *
 * BSRA and SRA let other processes run between the transitions of a sequence.
 * That is sound if nobody can tell, which is Lipton's argument: every run of the
 * sequence has the form R* N? L*, where
 *
 *   R  can be moved behind whatever other processes do right after it: receives;
 *   L  can be moved before whatever other processes do right before it: sends,
 *      since they never block and the receiver takes from the other end;
 *   N  can be moved in neither direction: a transition that touches a shared
 *      variable and, where a port is one queue, a send to a port with several
 *      senders, whose order is kept.
 *
 * Local transitions are both R and L. So is a receive where a port is one queue:
 * if it can be executed at once, the head of the queue stays the same until it
 * is; if not, the process gives up its atomicity, and what is interleaved is what
 * Promela permits. Then all other transitions of a run can be moved next to its N (or its
 * first transition), and each interleaved run has an atomic one with the same
 * order of all other processes' steps and the same states at both ends.
 */
#ifndef HD_MODEL_ATOMIC_H
#define HD_MODEL_ATOMIC_H

#include "model/system.h"

/* Fills in s->steps[pid]. The ports of all transitions are known. */
void hd_atomic_find_uses(hd_system *s, const hd_machine *m, int pid);

/* May other processes run between the transitions of every atomic sequence? If
 * not, the error says where and why. `scheme` is that of the model. */
bool hd_atomic_may_interleave(const hd_system *s, hd_scheme scheme, hd_error *error);

#endif
