/* Threads as the program sees them. Creating and joining are not operations: it never matters what other threads do in
 * between. They are edges of the happens-before relation. */
#ifndef HD_RUNTIME_SYNC_THREAD_H
#define HD_RUNTIME_SYNC_THREAD_H

#include "runtime/reset/images.h"
#include "runtime/sched/lives.h"
#include "runtime/sched/sched.h"

#include <pthread.h>

/* Each returns 0 or an error number. `*id` gets the thread's handle. */
int hd_thread_create(unsigned long *id, void *(*start)(void *), void *argument, int detached);
int hd_thread_join(unsigned long id, void **result);
int hd_thread_detach(unsigned long id);

/* In front of a join with a time limit: if that is a patient wait (sched/expiry.h), waits for the end of the thread.
 * Returns whether it has come. */
struct timespec;
int hd_thread_is_awaited(unsigned long id, const struct timespec *until);

/* Would a join return at once, or fail? In programs that ask this, the end of a thread matters to others: it is an
 * operation from the next run on (learned). */
int hd_thread_has_ended(unsigned long id);
unsigned long hd_thread_self(void);

/* Cleanup handlers. Each is a frame of the program with a jump buffer (see pthread_cleanup_push in <pthread.h>). A
 * thread that exits jumps to the innermost one; the code there runs the handler and calls hd_thread_unwind_next. */
void hd_thread_push_cleanup(__pthread_unwind_buf_t *frame);
void hd_thread_pop_cleanup(__pthread_unwind_buf_t *frame);
_Noreturn void hd_thread_unwind_next(void);

/* A thread's handle: not 0, and no other thread of the run has it. */
static inline uint32_t hd_thread_handle(const hd_thread *t)
{
    return hd_identity_of(t) + 1;
}

/* The thread as the owner of a lock that it holds. The child of a fork owns the copies of locks that its parent held.
 */
static inline uint32_t hd_thread_as_owner(const hd_thread *t, const void *lock)
{
    int inherited = UNLIKELY(hd_image_parts) && hd_images_is_inherited(t->process, (uint64_t)lock);
    return inherited ? t->known_as + 1 : hd_thread_handle(t);
}

/* The number of the thread with this handle, for messages. */
static inline uint32_t hd_thread_number_of(uint32_t handle)
{
    return hd_number_of_identity(handle - 1);
}

/* The thread with this handle, or NULL. If its slot has another thread now: one that has ended and was joined, valid
 * until the next call. */
hd_thread *hd_thread_find(unsigned long handle);

#endif
