#include "runtime/kernel/rights.h"
#include "runtime/run.h"

#include "runtime/core/stop.h"
#include "runtime/crash.h"
#include "runtime/image/foreign.h"
#include "runtime/image/snapshot.h"
#include "runtime/kernel/addresses.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/mailbox.h"
#include "runtime/kernel/message_queue.h"
#include "runtime/kernel/names.h"
#include "runtime/kernel/epoll.h"
#include "runtime/kernel/eventfd.h"
#include "runtime/kernel/fifo.h"
#include "runtime/kernel/file_locks.h"
#include "runtime/kernel/pages.h"
#include "runtime/kernel/pipe.h"
#include "runtime/kernel/queue.h"
#include "runtime/kernel/requests.h"
#include "runtime/kernel/semaphore_set.h"
#include "runtime/kernel/signalfd.h"
#include "runtime/kernel/shared.h"
#include "runtime/kernel/socket.h"
#include "runtime/kernel/sysv_queue.h"
#include "runtime/kernel/timer.h"
#include "runtime/libc/libc.h"
#include "runtime/reset/fiber.h"
#include "runtime/reset/heap.h"
#include "runtime/reset/images.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/mapped.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/tls.h"
#include "runtime/reset/trap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/cover.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/log.h"
#include "runtime/sched/passing.h"
#include "runtime/sched/sched.h"
#include "runtime/sched/spin.h"
#include "runtime/sched/stacks.h"
#include "runtime/sched/watch.h"
#include "runtime/symbolic/symbolic.h"
#include "runtime/sched/unshared.h"
#include "runtime/sync/barrier.h"
#include "runtime/sync/tokens.h"
#include "runtime/sync/fs.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *host_sp;
static int assumption_failed;

/* --- before main ---------------------------------------------------------------- */

void hd_run_before_main(void)
{
    hd_thread *t = &hd_threads[0];
    t->view = &hd_rt.threads[0];
    t->view->status = HD_THREAD_LOCAL;
    *hd_rt.thread_count = 1;
    hd_current = t;
    hd_before_main = 1;
}

/* Control words of the floating-point units at the start of an execution. Pending exceptions belong to the engine and
 * are left out. */
static struct {
    uint32_t sse;
    uint16_t x87;
} floating;

/* Defined if the program calls functions of <fenv.h> (libc/floating.c). */
extern const char hd_uses_fenv __attribute__((weak, visibility("hidden")));

static void save_floating(void)
{
    enum { EXCEPTIONS = 0x3f };
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(floating.sse), "=m"(floating.x87));
    floating.sse &= ~(uint32_t)EXCEPTIONS;
    hd_fiber_floats = &hd_uses_fenv || hd_foreign_is_there();
}

/* At the start of an execution; other threads inherit the environment of their creator. */
static void reset_floating(void)
{
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(floating.sse), "m"(floating.x87));
    if (hd_fiber_floats)
        __asm__ volatile("fnclex");
}

/* Code of the program, called by a constructor of a library that heddle did not compile, ends before the first run:
 * there is only the process to end. */
static _Noreturn void end_before_main(hd_outcome_kind kind, const hd_site *site, const char *message)
{
    if (kind == HD_FINISHED)
        _exit(hd_rt.outcome->exit_status);
    fprintf(stderr, "before main: %s", message);
    if (site)
        fprintf(stderr, ", at %s:%u", site->file, site->line);
    fputc('\n', stderr);
    _exit(2);
}

/* --- the end of an execution ------------------------------------------------------- */

static _Noreturn void leave_to_host(void)
{
    void *dead;
    hd_fiber_switch(&dead, host_sp);
    __builtin_unreachable();
}

/* Does this outcome end the process in the middle of an execution? Then the end is an operation, as it is for exit: the
 * operations of other threads can come before it. (For the outcomes of exit, HD_EXIT was performed already.) */
static int is_failure(hd_outcome_kind kind)
{
    return kind > HD_FINISHED && kind <= HD_MODEL_LIMIT && kind != HD_DEADLOCK && kind != HD_LEAK
        && kind != HD_EXIT_STATUS;
}

void hd_end(hd_outcome_kind kind, const hd_site *site, const char *format, ...)
{
    char message[sizeof hd_rt.outcome->message] = "";
    if (kind != HD_FINISHED) {
        va_list args;
        va_start(args, format);
        vsnprintf(message, sizeof message, format, args);
        va_end(args);
    }
    if (!hd_current || hd_before_main)
        end_before_main(kind, site, message);
    if (is_failure(kind) && hd_exploring() && hd_current->view->status == HD_THREAD_LOCAL && hd_fast_state.waits) {
        hd_call_site = site;
        hd_perform(HD_EXIT, NULL, NULL);
    }
    hd_outcome *o = hd_rt.outcome;
    o->kind = kind;
    o->thread = (uint16_t)hd_current->id;
    o->site = site;
    memcpy(o->message, message, kind == HD_FINISHED ? 1 : sizeof message);
    hd_stacks_record_all();
    if (hd_rt.options->debugged && hd_rt.options->stop_at == ~0u)
        hd_failure_reached();
    leave_to_host();
}

void hd_assumption_failed(void)
{
    assumption_failed = 1;
    if (!hd_exploring())
        hd_end(HD_ASSUMED, hd_call_site, "an assumption does not hold");
    hd_wait_for(HD_WAIT_ASSUMPTION, NULL);
    __builtin_unreachable();
}

/* --- from start to end -------------------------------------------------------------- */

static void *run_main(void *unused)
{
    (void)unused;
    hd_process_main();
    return NULL;
}

/* Can everything that the execution changes be undone? If not, it must not run in this process. */
static int can_undo(void)
{
    if (!hd_exploring() || hd_rewind_start() || hd_rt.options->settings.fork)
        return 1;
    hd_rt.outcome->kind = HD_NEEDS_FORK;
    snprintf(
        hd_rt.outcome->message, sizeof hd_rt.outcome->message, "this kernel has no syscall user dispatch (Linux 5.11)");
    return 0;
}

/* With stacks, reports read the memory that the execution has left, so it is undone only before the next one. */
static int is_undone = 1;

static void undo(void)
{
    if (hd_exploring() && hd_rt.options->show_output)
        fflush(NULL);
    if (!is_undone)
        hd_rewind_back();
    is_undone = 1;
}

void hd_run(void)
{
    if (hd_before_main)
        save_floating();
    hd_before_main = 0;
    undo();
    hd_heap_reset();
    hd_images_reset();
    hd_process_reset();
    hd_libc_reset();
    hd_fs_reset();
    hd_library_calls_reset();
    hd_mapped_reset();
    hd_file_locks_reset();
    hd_descriptors_reset();
    hd_pages_reset();
    hd_pipes_reset();
    hd_fifos_reset();
    hd_queues_reset();
    hd_rights_reset();
    hd_sockets_reset();
    hd_names_reset();
    hd_addresses_reset();
    hd_shared_reset();
    hd_message_queues_reset();
    hd_semaphore_sets_reset();
    hd_sysv_queues_reset();
    hd_mailboxes_reset();
    hd_eventfds_reset();
    hd_epolls_reset();
    hd_timers_reset();
    hd_signalfds_reset();
    if (hd_reset_more)
        hd_reset_more();
    hd_access_new_run();
    hd_tls_new_run();
    hd_symbolic_new_run();
    *hd_rt.thread_count = 0;
    *hd_rt.log_count = 0;
    hd_cover_start();
    memset(hd_rt.outcome, 0, offsetof(hd_outcome, message) + 1);
    hd_sched_reset();
    hd_barriers_new_run();
    hd_tokens_new_run();
    hd_unshared_new_run();
    assumption_failed = 0;
    hd_spin_reset();
    hd_expiry_reset();
    hd_passing_reset();
    hd_is_quiet = hd_only_servers_come_round;
    hd_requests_reset();
    hd_current = NULL;
    hd_call_site = NULL;
    hd_watch_new_run();
    hd_crash_new_run();
    hd_fast_state.wrote = 0;
    reset_floating();
    hd_thread *main_thread = hd_spawn(run_main, NULL, NULL);
    hd_sched_reset();
    hd_current = main_thread;
    errno = 0;
    if (can_undo()) {
        hd_trap_set(hd_exploring());
        hd_fiber_switch(&host_sp, main_thread->sp);
        hd_trap_set(0);
    }
    hd_current = NULL;
    hd_fast_state.several = 0;
    hd_images_put_makers();
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_rt.threads[i].enabled = (hd_rt.threads[i].pending.flags & HD_OP_DEEP) || hd_thread_enabled(i);
        hd_rt.threads[i].serves =
            hd_process_count() > 1 && !hd_rt.threads[i].enabled && hd_awaits_request(&hd_threads[i]);
    }
    if (assumption_failed
        && (hd_rt.outcome->kind == HD_FINISHED || hd_rt.outcome->kind == HD_EXIT_STATUS
            || hd_rt.outcome->kind == HD_DEADLOCK))
        hd_rt.outcome->kind = HD_ASSUMED;
    if (hd_rt.options->states)
        hd_rt.outcome->state = hd_snapshot_hash();
    if (hd_rt.options->values)
        hd_log_what_is_left();
    hd_watch_run_ended();
    if (hd_access_learned())
        hd_rt.outcome->kind = HD_LEARNED;
    is_undone = 0;
    if (!hd_rt.options->stacks)
        undo();
}
