#include "supervisor/progress.h"

#include "base/clock.h"
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_progress {
    bool shown, drawn; /* standard error is a terminal; a line is on it */
    double started, last_time;
    hd_speed speed;
    hd_estimate estimate;
    FILE *record; /* NULL: none */
    double recorded; /* when the last line was written */
};

hd_progress *hd_progress_open(void)
{
    hd_progress *p = hd_alloc(&hd_heap, sizeof *p);
    *p = (hd_progress) { .started = hd_now() };
    const char *terminal = getenv("TERM");
    p->shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    p->last_time = p->started;
    return p;
}

void hd_progress_close(hd_progress *p)
{
    hd_progress_clear(p);
    hd_release(&hd_heap, p, sizeof *p);
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

/* --- the file -------------------------------------------------------------------------------------- */

void hd_progress_record(hd_progress *p, FILE *file, const char *program)
{
    hd_json j;
    p->record = file;
    fputs("{ \"program\": ", file);
    hd_json_open(&j, file);
    hd_json_text(&j, NULL, program);
    fprintf(file, ", \"process\": %d }\n", (int)getpid());
    fflush(file);
}

void hd_progress_record_end(FILE *file, int status)
{
    fprintf(file, "{ \"status\": %d }\n", status);
}

static void record(hd_progress *p, const hd_session *s)
{
    const double pause = 0.2;
    const hd_run_counts *c = &s->counts;
    double now = hd_now();
    if (!p->record || now - p->recorded < pause)
        return;
    p->recorded = now;
    fprintf(p->record, "[%.3f, %" PRIu64 ", %" PRIu64 ", %u, %.0f]\n", now - p->started, c->tests, c->hunted,
        s->keep->found_count, c->progress > 0 ? (double)c->tests / c->progress : 0);
    fflush(p->record);
}

/* --- the line -------------------------------------------------------------------------------------- */

/* A duration in a suitable unit. */
static void duration(double seconds, char *text, size_t size)
{
    if (seconds < 1)
        snprintf(text, size, "under 1 s");
    else if (seconds < 100)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, size, "%.0f min", seconds / 60);
    else if (seconds < 100 * 3600)
        snprintf(text, size, "%.0f h", seconds / 3600);
    else
        snprintf(text, size, "over %.0e days", seconds / 86400);
}

void hd_estimate_add(hd_estimate *e, double tests, double share, double seconds)
{
    const double weight = 0.1; /* an exponential moving average */
    double total = share > 0 ? tests / share : 0, left = total - tests;
    if (!(total > 0) || !isfinite(total)) {
        *e = (hd_estimate) { 0 };
        return;
    }
    if (e->total > 0)
        e->decrease += weight * ((e->total - e->tests - left) / seconds - e->decrease);
    e->rate = e->total > 0 ? e->rate + weight * ((tests - e->tests) / seconds - e->rate) : 0;
    e->total = total;
    e->tests = tests;
}

double hd_estimate_seconds(const hd_estimate *e)
{
    const double least = 0.02; /* of the work that was done: less is a fluctuation */
    return e->decrease > least * e->rate && e->decrease > 0 ? (e->total - e->tests) / e->decrease : -1;
}

static void write_estimate(const hd_estimate *e, char *text, size_t size)
{
    char left[40];
    double seconds = hd_estimate_seconds(e);
    *text = '\0';
    if (!(e->total > 0))
        return;
    duration(seconds, left, sizeof left);
    snprintf(text, size, ", about %.2g in sight%s%s%s", e->total, seconds < 0 ? " and growing" : ", ",
        seconds < 0 ? "" : left, seconds < 0 ? "" : " left");
}

void hd_speed_add(hd_speed *s, uint64_t executions, double seconds)
{
    /* There are fewer than before if the search has started over. */
    double fresh = executions >= s->executions ? (double)(executions - s->executions) / seconds : 0;
    /* An exponential moving average. */
    s->rate = s->rate > 0 ? 0.7 * s->rate + 0.3 * fresh : fresh;
    s->executions = executions;
}

void hd_progress_write(
    const hd_run_counts *c, uint32_t findings, const hd_speed *speed, const hd_estimate *e, char *text, size_t size)
{
    char rest[96], hunted[48] = "", queries[96] = "";
    write_estimate(e, rest, sizeof rest);
    if (c->hunted)
        snprintf(hunted, sizeof hunted, " and %" PRIu64 " hunting", c->hunted);
    if (c->solver.queries)
        snprintf(queries, sizeof queries, ", %" PRIu64 " queries in %.1f s", c->solver.queries, c->solver.seconds);
    snprintf(text, size, "%" PRIu64 " tests%s, %.0f/s, %u finding%s%s%s", c->tests, hunted, speed->rate, findings,
        findings == 1 ? "" : "s", queries, rest);
}

void hd_progress_tick(void *context, const hd_session *s)
{
    hd_progress *p = context;
    const hd_run_counts *c = &s->counts;
    double now = hd_now(), seconds = now - p->last_time;
    char text[400];
    record(p, s);
    if (!p->shown || now - p->started < 0.3 || seconds < 0.15)
        return;
    if (!p->speed.executions)
        p->speed.executions = s->past.executions;
    hd_speed_add(&p->speed, c->tests + c->hunted, seconds);
    hd_estimate_add(&p->estimate, (double)c->tests, c->progress, seconds);
    p->last_time = now;
    hd_progress_write(c, s->keep->found_count, &p->speed, &p->estimate, text, sizeof text);
    fprintf(stderr, "\r\033[Kheddle: %s%s", text, s->stop ? ", stopping" : "");
    fflush(stderr);
    p->drawn = true;
}
