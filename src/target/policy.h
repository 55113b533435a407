/* The target's scheduler: at each step it picks the thread that performs its pending operation,
 * first by the plan's record or prefix, then by the plan's tail policy. */
#ifndef HD_TARGET_POLICY_H
#define HD_TARGET_POLICY_H

#include "target/target.h"

/* Steps of one thread in a row after which another one gets its turn. */
enum { HD_LONGEST_STREAK = 400 };

/* Resets the scheduler for a run of `plan`. */
void hd_policy_start(hd_target *t, const hd_plan *plan);
/* The next thread, with its operation's outcome in pending.choice; or one of HD_PICK_*. */
int hd_policy_pick(hd_target *t);

#endif
