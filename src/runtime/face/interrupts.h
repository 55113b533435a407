/* Calls that may wait, and signals. Such a call begins with a point at which handlers of signals run and the thread can
 * be cancelled (sched/send.h). A handler that was set without SA_RESTART may have run while the call was waiting, and
 * has ended it (EINTR), or before: both are explored. Whether the call had to wait is known for calls that wait for one
 * descriptor; others may end with EINTR although they had nothing to wait for. */
#ifndef HD_RUNTIME_FACE_INTERRUPTS_H
#define HD_RUNTIME_FACE_INTERRUPTS_H

#include "runtime/kernel/descriptors.h"

/* A call begins at hd_call_site. Returns which handlers have run (HD_HANDLED…). */
int hd_call_begins(void);

/* Do they end a call that receives from the descriptor, or sends to it? `flags` are MSG_…. */
int hd_ends_receiving(int handled, hd_description *d, int flags);
int hd_ends_sending(int handled, hd_description *d, int flags);

/* Do they end another call, or one that no handler restarts? */
int hd_ends_call(int handled);
int hd_ends_any_call(int handled);

#endif
