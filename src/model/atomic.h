/* Atomic sequences under the reductions.
 *
 * Partial-order reduction executes a whole sequence as one step. What the step may use is the union
 * over its transitions, computed beforehand for every control state (hd_model_step_uses).
 *
 * BSRA and SRA let other processes run between the transitions of a sequence. That is sound if no
 * process can observe the difference, by Lipton's argument (1975): every run of the sequence has
 * the form R* N? L*, where
 *
 *   R  right movers commute with what other processes do right after them: receives;
 *   L  left movers commute with what other processes do right before them: sends, since they
 *      never block and the receiver takes from the other end of the queue;
 *   N  non-movers: a transition that uses a shared variable and, where a port is one queue, a
 *      send to a port with several senders, whose order matters.
 *
 * Local transitions are both R and L. So is a receive where a port is one queue: if it is
 * executable at once, the head of the queue stays the same until it is received; if not, the
 * process gives up its atomicity, and the interleavings are those that Promela permits. Then all
 * other transitions of a run can be moved next to its N (or to its first transition): each
 * interleaved run has an atomic one with the same order of all other processes' steps and the same
 * states at both ends. */
#ifndef HD_MODEL_ATOMIC_H
#define HD_MODEL_ATOMIC_H

#include "model/system.h"

/* Fills in s->steps[pid]. The ports of all transitions must be known. */
void hd_model_atomic_find_uses(hd_model_system *s, const hd_model_machine *m, int pid);

/* May other processes run between the transitions of every atomic sequence? If
 * not, the error says where and why. `scheme` is that of the model. */
bool hd_model_atomic_may_interleave(const hd_model_system *s, hd_model_scheme scheme, hd_error *error);

#endif
