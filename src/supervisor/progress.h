/* The progress of a running session: a line on a terminal, and a file that others can follow. */
#ifndef HD_SUPERVISOR_PROGRESS_H
#define HD_SUPERVISOR_PROGRESS_H

#include "worker/session.h"

#include <stdio.h>

/* An estimate of the time that is left. An explorer knows the share that it has explored of all that is in sight. But
 * on the way it may find as much new work as it does, so the speed of executions says nothing: what counts is how fast
 * the work in sight becomes less. */
typedef struct hd_estimate {
    double tests, total; /* executions so far, and with those in sight; 0: unknown */
    double rate, decrease; /* per second: executions, and how much less is left */
} hd_estimate;

/* `share` of the work in sight has been done in `tests` executions; `seconds` have passed since the last call. */
void hd_estimate_add(hd_estimate *e, double tests, double share, double seconds);

/* < 0: unknown, because the work in sight does not become less. */
double hd_estimate_seconds(const hd_estimate *e);

/* Executions per second, averaged; hunting ones count as well. */
typedef struct hd_speed {
    uint64_t executions; /* so far */
    double rate;
} hd_speed;

/* `seconds` have passed since the last call. */
void hd_speed_add(hd_speed *s, uint64_t executions, double seconds);

/* The line as text: what the exploration has run, what hunters have run beside it, the speed of both, and what is left.
 */
void hd_progress_write(
    const hd_run_counts *c, uint32_t findings, const hd_speed *speed, const hd_estimate *e, char *text, size_t size);

typedef struct hd_progress hd_progress;

hd_progress *hd_progress_open(void);
void hd_progress_close(hd_progress *p);

/* From now on, the progress is written into the file as well, a line of JSON at a time: first { "program", "process" },
 * then samples [seconds, executions, hunting, findings, in sight], at last { "status" }. The file is the caller's. */
void hd_progress_record(hd_progress *p, FILE *file, const char *program);

/* Writes the last line. */
void hd_progress_record_end(FILE *file, int status);

/* For hd_supervisor_options.tick; the context is the hd_progress. */
void hd_progress_tick(void *context, const hd_session *s);

/* Shows a line of text in place of the progress line. False: there is no terminal to show it on. */
bool hd_progress_show(hd_progress *p, const char *text);

/* Removes the line. */
void hd_progress_clear(hd_progress *p);

#endif
