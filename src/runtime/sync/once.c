#include "runtime/sync/once.h"

#include "runtime/sched/objects.h"
#include "runtime/sync/thread.h"

enum { NEW, RUNNING, DONE };

static int not_running(hd_thread *t, hd_op *op)
{
    int32_t state = *(int32_t *)hd_op_address(op);
    (void)t;
    op->kind = state == DONE ? HD_ONCE_DONE : HD_ONCE_BEGIN;
    return state != RUNNING;
}

/* Three operations: begin (or find it done), end, and undo if the action is cancelled. */
void hd_once(int32_t *once, void (*action)(void))
{
    const hd_site *site = hd_call_site;
    hd_objects_check(HD_ONCE_BEGIN, once, sizeof *once, site);
    if (hd_perform(HD_ONCE_BEGIN, once, not_running)->kind == HD_ONCE_DONE)
        return;
    *once = RUNNING;
    __pthread_unwind_buf_t cleanup;
    if (__sigsetjmp((struct __jmp_buf_tag *)(void *)cleanup.__cancel_jmp_buf, 0)) {
        hd_perform(HD_ONCE_UNDO, once, NULL);
        *once = NEW;
        hd_thread_unwind_next();
    }
    hd_thread_push_cleanup(&cleanup);
    action();
    hd_thread_pop_cleanup(&cleanup);
    hd_call_site = site;
    hd_perform(HD_ONCE_END, once, NULL);
    *once = DONE;
}
