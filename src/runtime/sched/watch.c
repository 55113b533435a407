#include "runtime/sched/watch.h"

#include "runtime/core/state.h"
#include "runtime/sched/access.h"

static int live_threads; /* not joined yet */
static int start_is_checked; /* an execution has checked everything up to its first thread, or its end */

void hd_watch_new_run(void)
{
    live_threads = 0;
    hd_fast_state.several = hd_fast_state.waits = 0;
    hd_fast_state.watched =
        !hd_exploring() || (start_is_checked && !hd_fast_state.symbolic) ? HD_WATCH_NOTHING : HD_WATCH_BOUNDS;
}

void hd_watch_run_ended(void)
{
    start_is_checked |= hd_rt.outcome->kind == HD_FINISHED || hd_rt.outcome->kind == HD_EXIT_STATUS;
}

void hd_watch_start_differs(void)
{
    if (hd_exploring() && hd_fast_state.watched == HD_WATCH_NOTHING)
        hd_fast_state.watched = HD_WATCH_BOUNDS;
}

void hd_watch_count_threads(int change)
{
    live_threads += change;
    int stays = hd_fast_state.several && hd_rt.options->alone;
    if (hd_fast_state.several && live_threads == 1 && !stays)
        hd_access_forget(); /* the joins order all earlier accesses before what follows */
    hd_fast_state.waits = live_threads > 1;
    hd_fast_state.several = (live_threads > 1 || stays) && hd_exploring();
    if (hd_fast_state.waits)
        start_is_checked = 1;
    if (*hd_rt.thread_count > 1)
        hd_fast_state.watched = hd_fast_state.waits || hd_fast_state.several ? HD_WATCH_ALL : HD_WATCH_BOUNDS;
    hd_fast_state.mark = hd_access_mark(hd_current ? hd_current->id : 0);
}
