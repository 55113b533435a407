#include "supervisor/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_progress {
    hd_session *session; /* see hd_progress_watch */
    bool shown, drawn; /* standard error is a terminal; a line is on it */
    int interrupts;
    double started, last_time;
    uint64_t last_tests;
    double rate;
};

static void ctrl_c(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
}

/* SIGINT is blocked and polled at every tick, so that no handler is needed. */
hd_progress *hd_progress_open(void)
{
    sigset_t set;
    hd_progress *p = hd_alloc(&hd_heap, sizeof *p);
    *p = (hd_progress) { .started = hd_now() };
    const char *terminal = getenv("TERM");
    p->shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    p->last_time = p->started;
    ctrl_c(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return p;
}

void hd_progress_close(hd_progress *p)
{
    sigset_t set;
    hd_progress_clear(p);
    ctrl_c(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    hd_release(&hd_heap, p, sizeof *p);
}

void hd_progress_watch(hd_progress *p, hd_session *session)
{
    p->session = session;
    p->interrupts = 0;
}

bool hd_progress_show(hd_progress *p, const char *text)
{
    if (p->shown)
        fprintf(stderr, "\r\033[Kheddle: %s", text);
    p->drawn |= p->shown;
    return p->shown;
}

void hd_progress_clear(hd_progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}

void hd_progress_listen(hd_progress *p)
{
    sigset_t set;
    struct timespec now = { 0, 0 };
    ctrl_c(&set);
    if (sigtimedwait(&set, NULL, &now) != SIGINT)
        return;
    /* The first Ctrl-C asks the session to stop. */
    if (++p->interrupts == 1 && p->session) {
        p->session->stop = 1;
        return;
    }
    hd_progress_clear(p);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGINT);
}

/* A duration in a suitable unit. */
static void duration(double seconds, char *text, size_t size)
{
    if (seconds < 100)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, size, "%.0f min", seconds / 60);
    else if (seconds < 100 * 3600)
        snprintf(text, size, "%.0f h", seconds / 3600);
    else
        snprintf(text, size, "over %.0e days", seconds / 86400);
}

/* Estimates the remaining work from the explored share of what the explorer knows of. The explorer
 * may find more work on the way, so this covers only what is in sight. */
static void estimate(const hd_progress *p, const hd_run_counts *c, char *text, size_t size)
{
    char left[40];
    double total = c->progress > 0 ? (double)c->tests / c->progress : 0;
    *text = '\0';
    if (!(total > 0) || !isfinite(total) || p->rate <= 0)
        return;
    duration((total - (double)c->tests) / p->rate, left, sizeof left);
    snprintf(text, size, ", about %.2g in sight, %s left", total, left);
}

void hd_progress_tick(void *context, const hd_session *s)
{
    hd_progress *p = context;
    const hd_run_counts *c = &s->counts;
    hd_progress_listen(p);
    double now = hd_now();
    if (!p->shown || !p->session || now - p->started < 0.3 || now - p->last_time < 0.15)
        return;
    double fresh = c->tests >= p->last_tests ? (double)(c->tests - p->last_tests) / (now - p->last_time) : 0;
    /* An exponential moving average. */
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * fresh : fresh;
    p->last_time = now;
    p->last_tests = c->tests;
    char rest[96], queries[96] = "";
    estimate(p, c, rest, sizeof rest);
    if (c->solver.queries)
        snprintf(queries, sizeof queries, ", %" PRIu64 " queries in %.1f s", c->solver.queries, c->solver.seconds);
    fprintf(stderr, "\r\033[Kheddle: %" PRIu64 " tests, %.0f/s, %u finding%s%s%s%s", c->tests, p->rate,
        s->keep->found_count, s->keep->found_count == 1 ? "" : "s", queries, rest, p->interrupts ? ", stopping" : "");
    fflush(stderr);
    p->drawn = true;
}
