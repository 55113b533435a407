/* The result of a check, from which all reports are made. Plain data: whoever makes a result fills it
 * in, reports only read it, and their tests are made of literals. */
#ifndef HD_REPORT_RESULT_H
#define HD_REPORT_RESULT_H

#include "explore/counts.h"
#include "report/symbols.h"

/* A pair of source positions, as text. */
typedef struct hd_report_race {
    const char *places[2];
} hd_report_race;

/* What an operation accesses, in the words of the source (report/names.h). */
typedef struct hd_report_access {
    const char *name; /* q->count; NULL: it accesses nothing that has a name */
    const char *value; /* as its type shows it: BLUE, &accounts[2]; NULL: unknown */
    bool matters; /* it belongs to the slice of the finding (report/slice.h) */
} hd_report_access;

/* An operation that happens before one of another thread, by nothing else than this order. */
typedef struct hd_report_order {
    uint32_t first, second; /* entries of run.ops */
    bool is_forced; /* by the program: creation, joining, waking, or a lock around accesses whose order is in the slice;
                       otherwise by the schedule */
} hd_report_order;

typedef struct hd_report_finding {
    hd_finding finding; /* as the replay shows it, if confirmed */
    hd_recorded_run run; /* of the replay */
    bool confirmed; /* reproduced in a fresh process */
    const char *unconfirmed; /* otherwise: why not */
    uint64_t executions; /* of a limit: how many ended there; 0: only some before the search started over */
    const hd_report_race *others; /* of a data race: other pairs of positions at which the same variable races */
    size_t other_count;
    bool cut; /* minimising was cut off: a shorter schedule may show it, too */
    const char *replay; /* the replay file, or NULL */
    const struct hd_report_suppression *suppressed; /* the entry that suppresses it (report/suppress.h), or NULL */
    /* Set by hd_report_symbolise: */
    hd_report_symbols symbols; /* of the stacks that the finding involves */
    hd_location location; /* in the user's source; line 0: unknown */
    hd_location previous; /* of a data race: the earlier access; else line 0 */
    hd_report_access *accesses; /* parallel to run.ops */
    const char **awaited; /* per thread: what it waits for at the end; NULL: nothing that has a name */
    hd_report_order *orders; /* among the operations that happen before the finding */
    size_t order_count;
    const char *story; /* what happened, in words (report/story.h); NULL or "": nothing to say */
    const char **blocks; /* parallel to run.blocks: "block of 88 bytes from calloc at q.c:14" */
} hd_report_finding;

/* A call of code that heddle did not compile. */
typedef struct hd_report_foreign_call {
    const char *library; /* its file; NULL: it is in the program itself */
    const char *function; /* "?": unknown */
    hd_location location; /* of the first call; line 0: unknown */
    const char *calls_back; /* a function of the program; NULL: none that is known */
    bool starts_thread;
} hd_report_foreign_call;

/* A line at which a block of statements begins. */
typedef struct hd_report_line {
    const char *file;
    uint32_t line;
    uint64_t executions; /* of the search, that have reached it */
} hd_report_line;

/* How far the search was at some time. */
typedef struct hd_report_sample {
    double seconds; /* since its start */
    uint64_t tests, hunted;
    uint32_t findings;
    double in_sight; /* an estimate of all executions; 0: unknown */
} hd_report_sample;

typedef struct hd_report_result {
    const char *given; /* the program as the user named it */
    const char *program; /* its file */
    const char *explorer;
    bool complete;
    const char *bound; /* why not complete, as a keyword; or NULL */
    bool stopped; /* at the first failure, or some time after the first data race */
    bool more_races; /* seen, and not listed */
    /* The limits and options that the verdict mentions. */
    hd_settings settings;
    uint64_t max_tests;
    double most_seconds;
    uint32_t solver_time; /* in milliseconds */
    uint32_t most; /* preemptions or delays of a schedule, where they are bounded */
    bool states; /* final states were counted */
    hd_run_counts counts;
    hd_location hang; /* where a thread ran without operations; line 0: unknown */
    bool forked; /* in the end every execution had a process of its own */
    uint32_t deaths; /* of workers */
    const char *failure; /* if workers failed permanently: the reason; or NULL */
    int failure_status; /* the exit status then, if nothing was found */
    double seconds;
    const hd_report_sample *samples; /* in the order of time */
    size_t sample_count;
    const char *unfolding; /* what an explorer has built, or the beginning of it, as a graph for dot; NULL: nothing */
    const hd_report_line *lines; /* if they were counted */
    size_t line_count;
    hd_report_finding *findings;
    size_t finding_count;
    const hd_report_foreign_call *foreign;
    size_t foreign_count;
    bool stripped; /* the program has code without symbols */
    const char *const *notices;
    size_t notice_count;
} hd_report_result;

/* Is it a bug that is not suppressed? */
bool hd_report_counts(const hd_report_finding *f);

/* Is the thread with this number involved in the finding? */
bool hd_report_involves(const hd_report_finding *f, uint32_t thread);

/* The exit status of the check. */
int hd_report_status(const hd_report_result *r);

/* One sentence about what was explored and found, without "heddle: ". */
void hd_report_verdict(const hd_report_result *r, char *text, size_t size);

#endif
