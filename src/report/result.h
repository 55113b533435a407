/* The result of a check, as all reports see it. */
#ifndef HD_REPORT_RESULT_H
#define HD_REPORT_RESULT_H

#include "worker/session.h"

typedef struct hd_reported {
    hd_finding finding;
    hd_story story;
    bool confirmed;     /* a fresh process showed it again */
    const char *replay; /* the replay file */
} hd_reported;

typedef struct hd_result {
    const char *program, *explorer;
    char **arguments;
    bool complete;
    const char *bound; /* why not, or NULL */
    hd_run_counts counts;
    double seconds;
    const hd_reported *findings;
    size_t finding_count;
    const char *const *notices;
    size_t notice_count;
} hd_result;

#endif
