/* Who goes on: the plan's prefix first, then its tail policy. */
#ifndef HD_TARGET_POLICY_H
#define HD_TARGET_POLICY_H

#include "target/target.h"

void hd_policy_start(hd_target *t, const hd_plan *plan);
int hd_policy_pick(hd_target *t);

#endif
