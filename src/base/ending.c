#include "base/ending.h"

#include "base/clock.h"
#include "base/memory.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

struct hd_ending {
    double time; /* 0: no limit */
    double interrupted; /* when the first signal was noticed; 0: none */
    sigset_t before; /* the signals that were blocked before */
};

static sigset_t signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

hd_ending *hd_ending_open(void)
{
    hd_ending *e = hd_alloc(&hd_heap, sizeof *e);
    sigset_t set = signals();
    sigprocmask(SIG_BLOCK, &set, &e->before);
    return e;
}

void hd_ending_close(hd_ending *e)
{
    sigset_t set = signals();
    struct timespec none = { 0, 0 };
    /* A signal that came too late to end anything must not end heddle before the report is complete. */
    while (sigtimedwait(&set, NULL, &none) > 0) { }
    sigprocmask(SIG_SETMASK, &e->before, NULL);
    hd_release(&hd_heap, e, sizeof *e);
}

void hd_ending_leave(const hd_ending *e)
{
    sigprocmask(SIG_SETMASK, &e->before, NULL);
}

void hd_ending_set_time(hd_ending *e, double seconds)
{
    e->time = seconds > 0 ? hd_now() + seconds : 0;
}

static void end_at_once(int signal_number)
{
    sigset_t set = signals();
    signal(signal_number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
}

static void listen(hd_ending *e)
{
    sigset_t set = signals();
    struct timespec none = { 0, 0 };
    int got = sigtimedwait(&set, NULL, &none);
    if (got > 0 && e->interrupted > 0)
        end_at_once(got);
    else if (got > 0)
        e->interrupted = hd_now();
}

bool hd_ending_is_due(hd_ending *e, double late)
{
    listen(e);
    double latest = hd_now() - late;
    return (e->interrupted > 0 && latest >= e->interrupted) || (e->time > 0 && latest >= e->time);
}

bool hd_ending_was_signalled(const hd_ending *e)
{
    return e->interrupted > 0;
}

const sigset_t *hd_ending_mask(const hd_ending *e)
{
    return &e->before;
}

double hd_ending_time(const hd_ending *e)
{
    return e->time;
}
