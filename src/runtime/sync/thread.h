/* Threads as the program sees them. Creating and joining need no operation:
 * nothing that another thread does can come in between in a way that matters.
 * They are edges of the happens-before relation. */
#ifndef HD_RUNTIME_SYNC_THREAD_H
#define HD_RUNTIME_SYNC_THREAD_H

#include "runtime/sched/sched.h"

#include <pthread.h>

/* 0 or an error number. `*id` gets the thread's handle. */
int hd_thread_create(unsigned long *id, void *(*start)(void *), void *argument, int detached);
int hd_thread_join(unsigned long id, void **result);
int hd_thread_detach(unsigned long id);

/* Whether a join would not have to wait, or fail. Asking makes it matter when
 * threads end: that they do is learned, and an operation from then on. */
int hd_thread_has_ended(unsigned long id);
unsigned long hd_thread_self(void);

/* Cleanup handlers. Each is a frame of the user's with a jump buffer in it (see
 * pthread_cleanup_push in <pthread.h>): a thread that exits jumps there, which
 * runs the handler and asks for the next. */
void hd_thread_push_cleanup(__pthread_unwind_buf_t *frame);
void hd_thread_pop_cleanup(__pthread_unwind_buf_t *frame);
_Noreturn void hd_thread_unwind_next(void);

/* The thread with this handle, or NULL. */
hd_thread *hd_thread_find(unsigned long id);

#endif
