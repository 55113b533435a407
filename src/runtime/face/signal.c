/* Signals of the tested program. None of them is a signal of the operating system; runtime/sched/send.h describes when
 * handlers run. Handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL are stored, but a fault does not run them. */
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/send.h"
#include "runtime/sync/children.h"
#include "runtime/sync/groups.h"
#include "runtime/sync/process.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { LAST_SIGNAL = 64 };

static int fail(int error)
{
    errno = error;
    return -1;
}

static int is_settable(int signal)
{
    return signal >= 1 && signal <= LAST_SIGNAL && signal != SIGKILL && signal != SIGSTOP;
}

/* An alarm that would end the process never comes: it is a watchdog, and virtual time is not watched. An alarm with a
 * handler could come anywhere. */
static void check_alarm(int signal)
{
    if (signal == SIGALRM && hd_threads[0].alarm && hd_send_is_handled(SIGALRM) && hd_exploring())
        hd_end(HD_MODEL_LIMIT, hd_call_site, "an alarm with a handler is not modelled yet");
}

HD_FACE int hd_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    const hd_site *site = hd_call_site;
    if (!is_settable(signal))
        return fail(EINVAL);
    if (action)
        hd_access_range(action, sizeof *action, site, 0);
    hd_call_site = site;
    struct sigaction before = hd_send_set_action(signal, action);
    check_alarm(signal);
    if (old) {
        hd_access_range(old, sizeof *old, site, 1);
        *old = before;
    }
    return 0;
}

HD_FACE sighandler_t hd_signal(int signal, sighandler_t handler)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    if (!is_settable(signal)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sighandler_t before = hd_send_set_action(signal, &action).sa_handler;
    check_alarm(signal);
    return before;
}

HD_FACE int hd_raise(int signal)
{
    if (signal < 0 || signal > LAST_SIGNAL)
        return fail(EINVAL);
    if (signal)
        hd_send_signal(hd_current, signal);
    return 0;
}

HD_FACE int hd_pthread_kill(pthread_t thread, int signal)
{
    hd_thread *t = hd_thread_find(thread);
    if (!t || t->joined)
        return ESRCH;
    if (signal < 0 || signal > LAST_SIGNAL)
        return EINVAL;
    if (signal)
        hd_send_signal(t, signal);
    return 0;
}

pid_t hd_getpid(void);

/* Is the process meant by kill(to)? -1 means all but the caller. */
static int is_meant(uint32_t process, pid_t to, const hd_site *site)
{
    if (!hd_children_exists(process) || to == -1)
        return to == -1 && hd_children_exists(process) && process != hd_current->process;
    uint32_t group = to ? (uint32_t)(-to - HD_FIRST_PID) : hd_group_of(hd_current->process, site);
    return hd_group_of(process, site) == group;
}

/* The caller comes last, because it may end by the signal. */
static int kill_group(pid_t to, int signal)
{
    const hd_site *site = hd_call_site;
    uint32_t self = hd_current->process, count = hd_process_count(), found = 0;
    int ends_self = is_meant(self, to, site);
    for (uint32_t i = 0; i < count; i++) {
        hd_call_site = site;
        if (i == self || !is_meant(i, to, site))
            continue;
        found++;
        if (signal)
            hd_send_signal_to_process(i, signal);
    }
    hd_call_site = site;
    if (signal && hd_children_is_child(self))
        hd_current->signals_from_others |= 1ull << (signal - 1); /* its end is meant, and no crash */
    if (signal && ends_self)
        hd_send_signal_to_process(self, signal);
    return found || ends_self ? 0 : fail(ESRCH);
}

HD_FACE int hd_kill(pid_t process, int signal)
{
    if (!hd_exploring() && process != hd_getpid() && process != 0)
        return kill(process, signal);
    if (signal < 0 || signal > LAST_SIGNAL)
        return fail(EINVAL);
    if (process == INT_MIN)
        return fail(ESRCH);
    if (process <= 0)
        return kill_group(process, signal);
    uint32_t number = (uint32_t)(process - HD_FIRST_PID);
    if (hd_exploring() && (process < HD_FIRST_PID || !hd_children_exists(number)))
        return fail(ESRCH);
    if (signal)
        hd_send_signal_to_process(hd_exploring() ? number : hd_current->process, signal);
    return 0;
}

HD_FACE int hd_killpg(pid_t group, int signal)
{
    return group < 0 ? fail(EINVAL) : hd_kill(-group, signal);
}

/* --- alarms and stacks ----------------------------------------------------------------- */

HD_FACE unsigned hd_alarm(unsigned seconds)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return alarm(seconds);
    hd_access_object(&hd_threads[0].alarm, site);
    unsigned before = hd_threads[0].alarm;
    hd_threads[0].alarm = seconds;
    hd_call_site = site;
    check_alarm(SIGALRM);
    return before;
}

/* The least size that the kernel accepts. MINSIGSTKSZ of the C library depends on the processor. */
enum { SMALLEST_SIGNAL_STACK = 2048 };

/* Handlers run on the thread's own stack, and a real fault has no handler. */
HD_FACE int hd_sigaltstack(const stack_t *new, stack_t *old)
{
    const hd_site *site = hd_call_site;
    stack_t before = hd_current->signal_stack;
    if (!before.ss_sp)
        before.ss_flags = SS_DISABLE;
    if (new) {
        hd_access_range(new, sizeof *new, site, 0);
        if (new->ss_flags & ~(SS_DISABLE | SS_ONSTACK))
            return fail(EINVAL);
        if (!(new->ss_flags &SS_DISABLE) && new->ss_size < SMALLEST_SIGNAL_STACK)
            return fail(ENOMEM);
        hd_current->signal_stack = new->ss_flags &SS_DISABLE ? (stack_t) { 0 } : *new;
    }
    if (old) {
        hd_access_range(old, sizeof *old, site, 1);
        *old = before;
    }
    return 0;
}

/* --- masks -------------------------------------------------------------------------- */

HD_FACE int hd_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    const hd_site *site = hd_call_site;
    uint64_t before = hd_current->signal_mask, change = 0;
    if (set) {
        hd_access_range(set, sizeof change, site, 0);
        memcpy(&change, set, sizeof change);
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return EINVAL;
        hd_current->signal_mask = how == SIG_BLOCK ? before | change : how == SIG_UNBLOCK ? before & ~change : change;
    }
    if (old) {
        hd_access_range(old, sizeof *old, site, 1);
        memset(old, 0, sizeof *old);
        memcpy(old, &before, sizeof before);
    }
    hd_call_site = site;
    hd_send_blocked(hd_current->signal_mask & ~before);
    if (before & ~hd_current->signal_mask)
        hd_send_unblocked();
    return 0;
}

HD_FACE int hd_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int error = hd_pthread_sigmask(how, set, old);
    return error ? fail(error) : 0;
}

/* --- waiting for signals ----------------------------------------------------------------- */

static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits;
    hd_access_range(set, sizeof bits, hd_call_site, 0);
    memcpy(&bits, set, sizeof bits);
    return bits;
}

HD_FACE int hd_pause(void)
{
    if (!hd_exploring())
        return pause();
    hd_send_await_handler(hd_current->signal_mask);
    return fail(EINTR);
}

HD_FACE int hd_sigsuspend(const sigset_t *mask)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return sigsuspend(mask);
    uint64_t bits = bits_of(mask);
    hd_call_site = site;
    hd_send_await_handler(bits);
    return fail(EINTR);
}

HD_FACE int hd_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return sigwaitinfo(set, info);
    uint64_t bits = bits_of(set);
    hd_call_site = site;
    int got = hd_send_await(bits);
    if (info) {
        hd_access_range(info, sizeof *info, site, 1);
        *info = (siginfo_t) { .si_signo = got };
    }
    return got;
}

HD_FACE int hd_sigwait(const sigset_t *set, int *to)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return sigwait(set, to);
    int got = hd_sigwaitinfo(set, NULL);
    hd_access_range(to, sizeof *to, site, 1);
    *to = got;
    return 0;
}

HD_FACE int hd_sigpending(sigset_t *set)
{
    hd_access_range(set, sizeof *set, hd_call_site, 1);
    memset(set, 0, sizeof *set);
    memcpy(set, &hd_current->signals_pending, sizeof hd_current->signals_pending);
    return 0;
}
