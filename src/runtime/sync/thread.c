#include "runtime/sync/thread.h"

#include "runtime/sched/access.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/log.h"
#include "runtime/sched/send.h"
#include "runtime/sched/watch.h"
#include "runtime/sync/key.h"
#include "runtime/sync/mutex.h"

#include <errno.h>

unsigned long hd_thread_self(void)
{
    return hd_current->known_as + 1;
}

/* The thread of the current process that the identity stands for there, since it is the copy of another one; NULL:
 * there is none. */
static hd_thread *find_copy(uint32_t identity)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_thread *t = &hd_threads[i];
        if (t->process == hd_current->process && t->known_as == identity && hd_identity_of(t) != identity
            && t->view->status != HD_THREAD_UNUSED)
            return t;
    }
    return NULL;
}

/* A thread whose slot has had another life since: it was joined. */
static hd_thread *find_joined(uint32_t slot, uint32_t life)
{
    static hd_thread_view view;
    static hd_thread joined;
    view = (hd_thread_view) { .status = HD_THREAD_DONE, .life = (uint16_t)life };
    joined = (hd_thread) { .view = &view, .id = slot, .joined = 1 };
    return &joined;
}

hd_thread *hd_thread_find(unsigned long handle)
{
    uint32_t identity = (uint32_t)(handle - 1), slot = hd_identity_slot(identity), life = hd_identity_life(identity);
    if (handle - 1 > UINT32_MAX || slot >= *hd_rt.thread_count)
        return NULL;
    hd_thread *copy = UNLIKELY(hd_image_parts) ? find_copy(identity) : NULL;
    hd_thread *t = &hd_threads[slot];
    if (copy)
        return copy;
    if (UNLIKELY(hd_image_parts) && t->process != hd_current->process && !t->joined)
        return NULL; /* fork has not copied it */
    if (t->view->status == HD_THREAD_UNUSED || life > t->view->life)
        return NULL;
    return life == t->view->life ? t : find_joined(slot, life);
}

int hd_thread_create(unsigned long *id, void *(*start)(void *), void *argument, int detached)
{
    if (hd_before_main)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a thread that is created before main is not modelled");
    hd_thread *t = hd_spawn(start, argument, hd_call_site);
    if (!t)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d threads that have not been joined", HD_MAX_THREADS);
    t->detached = (uint8_t)detached;
    hd_known->threaded |= 1ull << hd_current->process;
    *id = hd_thread_handle(t);
    return 0;
}

/* No operation: a wait if the thread has not ended, then an edge. Joining is a cancellation point. */
int hd_thread_join(unsigned long id, void **result)
{
    hd_thread *t = hd_thread_find(id);
    if (!t)
        return ESRCH;
    if (t == hd_current)
        return EDEADLK;
    if (t->detached || t->joined || t->join_waiter_set)
        return EINVAL;
    const hd_site *site = hd_call_site;
    hd_send_cancellation_point();
    hd_call_site = site;
    hd_step_must_be_over("joining a thread");
    if (t->view->status != HD_THREAD_DONE) {
        t->join_waiter_set = 1;
        t->join_waiter = hd_current->id;
        hd_wait_for(HD_WAIT_JOIN, (void *)(uintptr_t)t->id);
    }
    t->joined = 1;
    hd_lives_joined(hd_current, t);
    hd_edge(hd_current, t, HD_WAIT_JOIN, result != NULL);
    hd_watch_count_threads(-1);
    if (result)
        *result = t->result;
    return 0;
}

/* The first such question is learned and ends the run: the ends of threads were no operations so far. */
int hd_thread_is_awaited(unsigned long id, const struct timespec *until)
{
    hd_thread *t = hd_thread_find(id);
    const void *object = (const void *)(uintptr_t)(id - 1);
    if (!t || t == hd_current || t->detached || t->joined || t->join_waiter_set
        || !hd_expiry_is_patient(HD_THREAD_POLL, object))
        return 0;
    if (t->view->status == HD_THREAD_DONE)
        return 1;
    t->join_waiter_set = 1;
    t->join_waiter = hd_current->id;
    hd_expiry_begin(until);
    hd_wait_for(HD_WAIT_JOIN, object);
    t->join_waiter_set = 0;
    return !hd_expiry_end();
}

int hd_thread_has_ended(unsigned long id)
{
    const hd_thread *t = hd_thread_find(id);
    if (!t || t == hd_current || t->detached || t->joined)
        return 1;
    if (!hd_exploring()) {
        if (t->view->status != HD_THREAD_DONE)
            hd_yield_by_hand();
        return t->view->status == HD_THREAD_DONE;
    }
    if (!hd_known->ends) {
        hd_known->ends = 1;
        hd_learned_now("a thread asks whether another one has ended");
    }
    hd_perform_among_several(HD_THREAD_POLL, (void *)(uintptr_t)hd_identity_of(t));
    return t->view->status == HD_THREAD_DONE;
}

/* In programs whose threads ask whether others have ended, the end is an operation on the thread. */
static void tell_end(void)
{
    if (!hd_known->ends || !hd_fast_state.several)
        return;
    hd_call_site = hd_current->view->created_at;
    hd_perform_among_several(HD_THREAD_SEND, (void *)(uintptr_t)hd_identity_of(hd_current));
}

int hd_thread_detach(unsigned long id)
{
    hd_thread *t = hd_thread_find(id);
    if (!t)
        return ESRCH;
    if (t->detached || t->joined)
        return EINVAL;
    t->detached = 1;
    return 0;
}

/* --- ending ---------------------------------------------------------------------- */

void hd_thread_push_cleanup(__pthread_unwind_buf_t *frame)
{
    frame->__pad[0] = hd_current->cleanups;
    hd_current->cleanups = frame;
}

void hd_thread_pop_cleanup(__pthread_unwind_buf_t *frame)
{
    hd_current->cleanups = frame->__pad[0];
}

/* After the cleanup handlers: destructors of keys, robust mutexes, the end itself; the order of POSIX. */
void hd_thread_unwind_next(void)
{
    __pthread_unwind_buf_t *frame = hd_current->cleanups;
    if (frame) {
        hd_thread_pop_cleanup(frame);
        siglongjmp((struct __jmp_buf_tag *)(void *)frame->__cancel_jmp_buf, 1);
    }
    hd_key_thread_ends();
    hd_mutex_owner_ends(hd_current);
    tell_end();
    hd_finish_thread();
}

void hd_thread_exit(void *result)
{
    hd_current->cancelling = 1;
    hd_current->result = result;
    hd_thread_unwind_next();
}

void hd_thread_cancelled(void)
{
    hd_thread_exit(PTHREAD_CANCELED);
}
