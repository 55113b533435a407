/* New threads (sched/sched.h). */
#include "runtime/sched/sched_internal.h"

#include "runtime/reset/fiber.h"
#include "runtime/reset/tls.h"
#include "runtime/sched/lives.h"
#include "runtime/sched/log.h"
#include "runtime/sched/stacks.h"
#include "runtime/sched/watch.h"
#include "runtime/symbolic/bounds.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/lines.h"

#include <errno.h>
#include <string.h>

static void thread_entry(void)
{
    hd_thread *t = hd_current;
    hd_pass_to((const void *)t->start, hd_lines_load(&t->argument, sizeof t->argument, NULL));
    void *result = t->start(t->argument);
    uint32_t shadow = hd_returned_by((const void *)t->start);
    if (shadow)
        hd_lines_store(&t->result, sizeof t->result, shadow);
    hd_thread_exit(result);
}

/* The slot of a new thread, of which the current one is the creator; NULL: there is none left. */
static hd_thread *begin_thread(const hd_site *site)
{
    uint32_t id = hd_current ? hd_lives_next_slot() : 0;
    if (id == HD_MAX_THREADS)
        return NULL;
    hd_lives_begin(id);
    hd_thread *t = &hd_threads[id];
    t->stack = id;
    t->known_as = hd_identity_of(t);
    t->view->created_at = site;
    t->view->creator = hd_current ? (uint16_t)hd_current->id : 0;
    t->now = hd_current ? hd_current->now : 0;
    if (hd_current)
        t->signal_mask = hd_current->signal_mask;
    return t;
}

/* The thread is complete, and has its first local work. */
static void add_thread(hd_thread *t)
{
    if (hd_current) {
        hd_edge(t, hd_current, HD_WAIT_NONE, 0);
        hd_current->goes_on = 0; /* what the new thread does cannot come before the step that has created it */
    }
    if (hd_current)
        hd_log_published(hd_current);
    hd_log_published(t);
    if (hd_current && hd_rt.options->stacks)
        hd_stacks_record_creation(__builtin_frame_address(0));
    hd_sched_make_local(t);
    hd_watch_count_threads(1);
}

hd_thread *hd_spawn(void *(*start)(void *), void *argument, const hd_site *site)
{
    hd_thread *t = begin_thread(site);
    if (!t)
        return NULL;
    t->start = start;
    t->view->start = hd_current ? (const void *)start : NULL;
    t->argument = argument;
    hd_join_process(t, hd_current ? hd_current->process : 0);
    t->sp = hd_fiber_prepare(t->id, thread_entry);
    add_thread(t);
    return t;
}

static void copy_thread(hd_thread *t)
{
    const hd_thread *of = hd_current;
    t->stack = of->stack;
    t->known_as = of->known_as;
    t->start = of->start;
    t->argument = of->argument;
    t->view->start = of->view->start;
    t->saved_errno = errno;
    t->saved_plainly = hd_fast_state.plainly;
    t->slot.inputs = of->slot.inputs;
    t->cancel_disabled = of->cancel_disabled;
    t->cancel_async = of->cancel_async;
    t->cleanups = of->cleanups;
    t->handler_frame = of->handler_frame;
    t->mask_before_handler = of->mask_before_handler;
    t->signal_stack = of->signal_stack;
    t->read_locked = of->read_locked;
    memcpy(t->read_locks, of->read_locks, sizeof t->read_locks);
    t->random = of->random;
    hd_bounds_copy(of->id, t->id);
    hd_tls_copy(of->id, t->id);
}

hd_thread *hd_spawn_copy(const hd_site *site)
{
    hd_thread *t = begin_thread(site);
    if (!t)
        return NULL;
    copy_thread(t);
    hd_join_process(t, t->id);
    add_thread(t);
    return t;
}

int hd_has_siblings(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        const hd_thread *t = &hd_threads[i];
        if (t != hd_current && t->process == hd_current->process && t->view->status != HD_THREAD_UNUSED && !t->joined)
            return 1;
    }
    return 0;
}
