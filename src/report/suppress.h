/* Suppressions: findings that the user knows and does not want to be told again.
 *
 * A file has one entry per line; `#` begins a comment. An entry is a kind of finding (`data-race`, `deadlock`, …, or a
 * glob) and any of these, all of which must match:
 *
 *   data-race function=put* variable=q->count
 *   data-race file="third party/q.c"
 *   data-race:put*               as the sanitizers write it: a function, a file or a variable
 *
 * A function or file matches if it is in a stack of the finding: those of both accesses of a race, of the blocked
 * threads of a deadlock, of the thread that failed. A file matches by its whole name or by its last parts. A variable
 * is the one that both accesses use, or what a blocked thread waits for. What is not known, as of a finding that was
 * not confirmed, does not match. Limits of heddle are not findings, and no entry matches them.
 *
 * A suppressed finding is not reported, does not end a check, and does not make its status 1. It does not change what
 * is explored: an execution that ends with a suppressed failure is not continued, so what the program would do
 * afterwards is not explored. The verdict says how many findings were suppressed. */
#ifndef HD_REPORT_SUPPRESS_H
#define HD_REPORT_SUPPRESS_H

#include "base/error.h"
#include "report/result.h"

#include <stdio.h>

typedef struct hd_report_suppression {
    const char *kind; /* these are globs; NULL: anything */
    const char *function, *file, *variable;
    const char *any; /* a function, a file or a variable */
    const char *text; /* the entry as written */
    const char *path; /* of the file with it */
    uint32_t line;
} hd_report_suppression;

typedef struct hd_report_suppressions {
    const hd_report_suppression *items;
    size_t count;
} hd_report_suppressions;

/* Reads the files; all texts are in `arena`. An error names the line. */
bool hd_report_suppressions_read(
    hd_report_suppressions *s, const char *const *paths, size_t count, hd_arena *arena, hd_error *error);

/* The first entry that matches the finding, which has been symbolised; NULL: none. */
const hd_report_suppression *hd_report_suppressions_match(
    const hd_report_suppressions *s, const hd_report_finding *f, const char *program);

/* What was suppressed, by entry, and which entries matched nothing. */
void hd_report_suppressions_list(const hd_report_suppressions *s, const hd_report_result *r, FILE *out);

/* For each finding that is not suppressed: an entry that suppresses it. */
void hd_report_suppressions_print(const hd_report_result *r, FILE *out);

#endif
