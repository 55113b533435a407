/* The tails that pick by chance: which thread performs the next step (docs/algorithms).
 *
 * random: any enabled thread, with the same probability.
 *
 * pct: the enabled thread with the highest priority. Priorities are random, and lowered at a few random steps.
 *
 * pos: the enabled operation with the highest priority. An operation draws its priority when it becomes pending, and
 * again when an operation that conflicts with it has been performed.
 *
 * surw: a thread is *intended* to perform the next interesting operation; it is drawn with a probability proportional
 * to the number of interesting operations that each thread has left. The others are held back at their interesting
 * operations. Among the threads that are not held back, any runs with the same probability. */
#ifndef HD_TARGET_CHANCE_H
#define HD_TARGET_CHANCE_H

#include "target/target.h"

/* Does the tail pick by chance? */
bool hd_chance_has(hd_tail tail);

/* Resets what the tails keep, for a run of the target's plan. */
void hd_chance_start(hd_target *t);

/* The thread that performs the next step, with a random outcome of its operation; -1: none is enabled. */
int hd_chance_pick(hd_target *t, uint32_t *outcome);

#endif
