/* pthread_once and call_once: a word that is 0 at first, 1 while the first caller runs the function, then 2. Other
 * callers wait until it is 2. If the first caller is cancelled, it becomes 0 again. */
#ifndef HD_RUNTIME_SYNC_ONCE_H
#define HD_RUNTIME_SYNC_ONCE_H

#include "runtime/sched/sched.h"

void hd_once(int32_t *once, void (*action)(void));

#endif
