/* Things done once: a word that is 0, then 1 while the first caller is at it,
 * then 2. Others wait until it is 2. If the first caller is cancelled it is 0
 * again. */
#ifndef HD_RUNTIME_SYNC_ONCE_H
#define HD_RUNTIME_SYNC_ONCE_H

#include "runtime/sched/sched.h"

void hd_once(int32_t *once, void (*action)(void));

#endif
