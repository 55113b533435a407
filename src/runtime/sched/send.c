#include "runtime/sched/send.h"

#include "abi/fast.h"
#include "abi/system.h"
#include "runtime/sched/access.h"

#include <errno.h>
#include <string.h>

enum { SIGNALS = 64 };

struct sigaction hd_send_actions[HD_MOST_PROCESSES][SIGNALS + 1]; /* objects of operations: see abi/shown.def */
static uint64_t any_action; /* processes that have set one in this run, or were copied from such, as bits */

/* By process: signals that were ignored, or are by default, when a thread blocked them. They belong to the objects of
 * the actions. */
static uint64_t kept[HD_MOST_PROCESSES];

void hd_send_reset(void)
{
    for (uint64_t left = any_action; left; left &= left - 1) {
        uint32_t process = (uint32_t)__builtin_ctzll(left);
        memset(hd_send_actions[process], 0, sizeof hd_send_actions[process]);
    }
    any_action = 0;
    memset(kept, 0, sizeof kept);
}

static uint64_t bit(int signal)
{
    return 1ull << (signal - 1);
}

/* The action in the current thread's process. */
static struct sigaction *action_of(int signal)
{
    return &hd_send_actions[hd_current->process][signal];
}

struct sigaction hd_send_set_action(int signal, const struct sigaction *action)
{
    struct sigaction *current = action_of(signal);
    hd_access_object(current, hd_call_site);
    struct sigaction old = *current;
    if (action) {
        *current = *action;
        any_action |= 1ull << hd_current->process;
        if (action->sa_handler == SIG_IGN)
            kept[hd_current->process] |= hd_current->signal_mask & bit(signal);
    }
    return old;
}

int hd_send_is_handled(int signal)
{
    return action_of(signal)->sa_handler != SIG_DFL && action_of(signal)->sa_handler != SIG_IGN;
}

/* --- handlers -------------------------------------------------------------------- */

static int default_is_nothing(int signal)
{
    return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

/* The default action of a signal that has no handler. */
static void act_by_default(hd_thread *t, int signal)
{
    if (default_is_nothing(signal))
        return;
    hd_rt.outcome->signal = signal;
    if (signal == SIGABRT)
        hd_end(HD_ABORT, hd_call_site, "SIGABRT was raised");
    if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
        hd_end(
            HD_MODEL_LIMIT, hd_call_site, "stopping the process with SIG%s is not modelled yet", sigabbrev_np(signal));
    if (t->signals_from_others & bit(signal))
        hd_process_killed(signal);
    hd_end(HD_CRASH, hd_call_site, "killed by a signal: %s", strsignal(signal));
}

/* Calls a handler on the current thread's stack, and restores what it must not change. */
static void call_handler(hd_thread *t, const struct sigaction *action, int signal)
{
    const char *outer = t->handler_frame;
    __typeof__(t->update) update = t->update; /* the operation that comes after the poll */
    uint64_t mask = t->signal_mask, blocked;
    int error = errno;
    memcpy(&blocked, &action->sa_mask, sizeof blocked);
    t->mask_before_handler = mask;
    t->signal_mask |= blocked | (action->sa_flags & SA_NODEFER ? 0 : bit(signal));
    t->handler_frame = __builtin_frame_address(0);
    if (action->sa_flags & SA_SIGINFO) {
        siginfo_t info = { .si_signo = signal, .si_code = SI_TKILL };
        action->sa_sigaction(signal, &info, NULL);
    } else {
        action->sa_handler(signal);
    }
    t->handler_frame = outer;
    t->signal_mask = mask;
    t->update = update;
    errno = error;
}

/* The action is read by an operation: other threads may change it. */
static void take_signal(hd_thread *t, int signal)
{
    const hd_site *site = hd_call_site;
    hd_access_object(action_of(signal), site);
    struct sigaction action = *action_of(signal);
    hd_call_site = site;
    if (action.sa_handler == SIG_IGN)
        return;
    if (action.sa_handler == SIG_DFL) {
        act_by_default(t, signal);
        return;
    }
    if (action.sa_flags & SA_RESETHAND)
        action_of(signal)->sa_handler = SIG_DFL;
    t->handled |= action.sa_flags & SA_RESTART ? HD_HANDLED : HD_HANDLED | HD_HANDLED_ENDS;
    call_handler(t, &action, signal);
    hd_call_site = site;
}

/* Is a handler running? It may also have been left by a jump: then its frame is gone, and the mask is restored. */
static int runs_handler(hd_thread *t)
{
    if (t == hd_current && t->handler_frame && (const char *)__builtin_frame_address(0) > t->handler_frame) {
        t->handler_frame = NULL;
        t->signal_mask = t->mask_before_handler;
    }
    return t->handler_frame != NULL;
}

static int take_signals(hd_thread *t)
{
    int any = 0;
    for (int signal = 1; signal <= SIGNALS; signal++)
        if (t->signals_pending & ~t->signal_mask & bit(signal)) {
            t->signals_pending &= ~bit(signal);
            hd_send_pending_changed(t->process, hd_call_site);
            take_signal(t, signal);
            any = 1;
        }
    return any;
}

/* --- sending --------------------------------------------------------------------- */

/* The first sending is learned: threads poll from the next run on. */
static void perform_send(hd_thread *to, uint32_t *fact)
{
    if (!*fact) {
        *fact = 1;
        if (hd_exploring())
            hd_learned_now("a thread sends another one a signal or cancels it");
    }
    uint64_t cancels = fact == &hd_known->cancels ? HD_CANCELS : 0;
    hd_perform_with(HD_THREAD_SEND, (void *)(uintptr_t)hd_identity_of(to), cancels, NULL);
}

void hd_send_cancel(hd_thread *to)
{
    perform_send(to, &hd_known->cancels);
    to->cancel_pending = 1;
}

static void add_pending(hd_thread *to, int signal)
{
    to->signals_pending |= bit(signal);
    hd_send_pending_changed(to->process, hd_call_site);
}

void hd_send_signal(hd_thread *to, int signal)
{
    if (to != hd_current) {
        uint32_t outer = hd_step_begin(0);
        perform_send(to, &hd_known->signals);
        add_pending(to, signal);
        hd_step_end(outer);
    } else if (to->signal_mask & bit(signal)) {
        uint32_t outer = hd_step_begin(0);
        add_pending(to, signal);
        hd_step_end(outer);
    } else {
        take_signal(to, signal);
    }
}

void hd_send_copy(uint32_t to)
{
    if (any_action >> hd_current->process & 1) {
        memcpy(hd_send_actions[to], hd_send_actions[hd_current->process], sizeof *hd_send_actions);
        any_action |= 1ull << to;
    }
    kept[to] = kept[hd_current->process];
}

void hd_send_drop_handlers(const hd_site *site)
{
    for (int signal = 1; any_action && signal <= SIGNALS; signal++)
        if (hd_send_is_handled(signal)) {
            hd_access_object(action_of(signal), site);
            *action_of(signal) = (struct sigaction) { 0 };
        }
}

struct sigaction hd_send_action_of(uint32_t process, int signal, const hd_site *site)
{
    struct sigaction *action = &hd_send_actions[process][signal];
    hd_access_uses(&(hd_object_use) { action, 0, NULL }, 1, site);
    return *action;
}

void hd_send_blocked(uint64_t signals)
{
    const hd_site *site = hd_call_site;
    for (uint64_t left = signals & ~kept[hd_current->process]; left; left &= left - 1) {
        int signal = __builtin_ctzll(left) + 1;
        if (!default_is_nothing(signal) && action_of(signal)->sa_handler != SIG_IGN)
            continue;
        hd_access_object(action_of(signal), site);
        kept[hd_current->process] |= bit(signal);
    }
    hd_call_site = site;
}

/* Would the signal do nothing in another process? */
static int is_of_no_effect(uint32_t process, int signal)
{
    struct sigaction action = hd_send_action_of(process, signal, hd_call_site);
    return !(kept[process] & bit(signal))
        && (action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && default_is_nothing(signal)));
}

static int takes(const hd_thread *t, uint32_t process, int signal)
{
    return t->process == process && hd_thread_lives(t) && !t->view->dead && !(t->signal_mask & bit(signal));
}

static hd_thread *first_that_takes(uint32_t process, int signal)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (takes(&hd_threads[i], process, signal))
            return &hd_threads[i];
    return NULL;
}

/* It is sent to the first thread of the process, whatever that does: the caller's next operation must not depend on it.
 * While the thread blocks the signal, it is pending there. */
static void send_to_other_process(uint32_t process, int signal)
{
    hd_thread *first = &hd_threads[process];
    const hd_site *site = hd_call_site;
    if (is_of_no_effect(process, signal))
        return;
    hd_call_site = site;
    uint32_t outer = hd_step_begin(0);
    perform_send(first, &hd_known->signals);
    if (!takes(first, process, signal) && first_that_takes(process, signal))
        hd_end(HD_MODEL_LIMIT, site,
            "a signal to another process whose first thread does not take it is not modelled yet");
    first->signals_from_others |= bit(signal);
    hd_call_site = site;
    add_pending(first, signal);
    hd_step_end(outer);
}

/* If all threads block it, it stays pending at the caller. */
void hd_send_signal_to_process(uint32_t process, int signal)
{
    if (process != hd_current->process) {
        send_to_other_process(process, signal);
        return;
    }
    hd_thread *to = first_that_takes(process, signal);
    hd_send_signal(to ? to : hd_current, signal);
}

/* --- polling --------------------------------------------------------------------- */

/* Is the thread to be cancelled here? At a cancellation point, or anywhere if its type is asynchronous. */
static int is_cancelled(const hd_thread *t, int at_point)
{
    return t->cancel_pending && !t->cancel_disabled && !t->cancelling && (at_point || t->cancel_async);
}

static void look(hd_thread *t)
{
    if (hd_fast_state.waits && hd_exploring()) /* otherwise no other thread is left that could send anything */
        hd_perform(HD_THREAD_POLL, (void *)(uintptr_t)hd_identity_of(t), NULL);
}

static int cancels_wait(hd_thread *t, hd_op *op)
{
    op->kind = is_cancelled(t, 1) ? HD_COND_CANCEL : HD_COND_POLL;
    return 1;
}

/* The same as part of a wait on a condition variable. If the condition variable is signalled first, the poll is
 * withdrawn: returns 0. */
static int look_in_wait(hd_thread *t)
{
    uint32_t outer = hd_step_begin(0);
    uint64_t value = hd_poll_value(t->view->life, !t->cancel_disabled && !t->cancelling);
    int looked = hd_perform_with(HD_COND_POLL, t->waits_on, value, cancels_wait) != NULL;
    if (looked)
        look(t);
    hd_step_end(outer);
    return looked;
}

static int sends_are_used(void)
{
    return hd_known->signals || hd_known->cancels;
}

int hd_send_may_interrupt(void)
{
    const hd_thread *t = hd_current;
    int pending = t->cancel_pending || (t->signals_pending & ~t->signal_mask);
    if (pending || (hd_fast_state.waits && sends_are_used()))
        return 1;
    for (int signal = 1; any_action && signal <= SIGNALS; signal++)
        if (hd_send_is_handled(signal) && !(t->signal_mask & bit(signal)))
            return 1;
    return 0;
}

/* Repeated until a poll finds no signal: more may have been sent while the handlers ran. */
void hd_send_poll_before_operation(void)
{
    hd_thread *t = hd_current;
    int polled = t->polled;
    t->polled = 0;
    if (polled || runs_handler(t) || !(hd_known->signals || t->cancel_async))
        return;
    do {
        look(t);
        if (is_cancelled(t, 0))
            hd_thread_cancelled();
    } while (take_signals(t));
    t->polled = 0;
}

static int interrupt_call(int at_point)
{
    hd_thread *t = hd_current;
    if (!sends_are_used() || runs_handler(t))
        return 0;
    t->handled = 0;
    do {
        look(t);
        if (is_cancelled(t, at_point))
            hd_thread_cancelled();
    } while (take_signals(t));
    t->polled = 1;
    return hd_exploring() ? t->handled : 0;
}

int hd_send_cancellation_point(void)
{
    return interrupt_call(1);
}

int hd_send_interruption_point(void)
{
    return interrupt_call(0);
}

int hd_send_poll_in_wait(void)
{
    hd_thread *t = hd_current;
    if (!sends_are_used() || runs_handler(t))
        return 0;
    while (!t->woken && look_in_wait(t)) {
        t->polled = 1;
        if (is_cancelled(t, 1))
            return 1;
        if (!take_signals(t))
            break;
    }
    return 0;
}

/* If there is nothing to take, nothing that is sent later has to reach the thread: see send.h. */
void hd_send_await_handler(uint64_t mask)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    uint64_t before = t->signal_mask;
    t->signal_mask = mask;
    int handled = interrupt_call(1) & HD_HANDLED;
    hd_call_site = site;
    if (!handled)
        hd_wait_for(HD_WAIT_SIGNAL, NULL);
    t->signal_mask = before;
}

int hd_send_await(uint64_t signals)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    interrupt_call(1);
    hd_call_site = site;
    t->signals_awaited = signals;
    if (!(t->signals_pending & signals))
        hd_wait_for(HD_WAIT_SIGNAL, NULL);
    t->signals_awaited = 0;
    int signal = __builtin_ctzll(t->signals_pending & signals) + 1;
    t->signals_pending &= ~bit(signal);
    hd_send_pending_changed(t->process, site);
    return signal;
}

static int is_end_of_wait(uint8_t kind)
{
    return kind == HD_COND_POLL || kind == HD_COND_CANCEL || kind == HD_COND_TIMEOUT || kind == HD_FUTEX_TIMEOUT;
}

/* The waiter sleeps, is at an operation that would end its wait (which is withdrawn), or has not fallen asleep yet:
 * then `woken` alone keeps it from sleeping. */
void hd_send_wake(hd_thread *t)
{
    const hd_thread_view *v = t->view;
    t->woken = 1;
    if (v->status == HD_THREAD_WAITING && v->wait_object == (uint64_t)t->waits_on)
        hd_wake(t);
    else if (v->status == HD_THREAD_AT_OP && is_end_of_wait(v->pending.kind))
        hd_withdraw(t);
}

void hd_send_unblocked(void)
{
    hd_thread *t = hd_current;
    if (sends_are_used())
        look(t);
    take_signals(t);
}

static int is_at_cancellation_point(const hd_thread_view *v)
{
    if (v->status == HD_THREAD_WAITING)
        return v->waits_for == HD_WAIT_COND || v->waits_for == HD_WAIT_JOIN || v->waits_for == HD_WAIT_SIGNAL;
    uint8_t object = hd_kinds[v->pending.kind].object;
    return v->pending.kind == HD_SEM_WAIT || object == HD_OBJECT_DATA || object == HD_OBJECT_ROOM
        || object == HD_OBJECT_EVENTFD;
}

hd_thread *hd_send_explain_stuck(void)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_thread *t = &hd_threads[i];
        if (!hd_thread_lives(t) || t->handler_frame || t->view->dead)
            continue;
        if (!(t->signals_pending & (~t->signal_mask | t->signals_awaited))
            && !is_cancelled(t, t->spin.in_call || is_at_cancellation_point(t->view)))
            continue;
        if (!hd_exploring()) {
            t->interrupted = 1;
            return t;
        }
        if (t->view->status == HD_THREAD_WAITING && t->view->waits_for == HD_WAIT_BARRIER)
            hd_end(
                HD_MODEL_LIMIT, t->view->wait_site, "a signal to a thread that waits at a barrier is not modelled yet");
        /* The same with the poll after the sending is another execution, which explorers reach: see send.h. */
        hd_end(HD_ASSUMED, NULL, "what was sent to T%u would reach it: explored elsewhere", hd_number_of(t));
    }
    return NULL;
}

/* A thread whose joiner is cancelled can be joined again. */
static _Noreturn void leave_wait_cancelled(const hd_thread_view *before)
{
    if (before->status == HD_THREAD_WAITING && before->waits_for == HD_WAIT_JOIN)
        hd_threads[before->wait_object].join_waiter_set = 0;
    hd_thread_cancelled();
}

void hd_send_interrupt(const hd_thread_view *before)
{
    hd_thread *t = hd_current;
    if (!is_cancelled(t, is_at_cancellation_point(before)))
        take_signals(t);
    else if (before->status == HD_THREAD_WAITING && before->waits_for == HD_WAIT_COND)
        t->woken = 1; /* a cancelled wait takes its mutex back before the thread ends */
    else
        leave_wait_cancelled(before);
}

int hd_send_ends_wait(void)
{
    return !hd_exploring() && is_cancelled(hd_current, 1);
}
