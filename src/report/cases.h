/* The results of many tests, in one line each that did not pass, and a summary. */
#ifndef HD_REPORT_CASES_H
#define HD_REPORT_CASES_H

#include <stddef.h>
#include <stdio.h>

/* ERROR: the test says nothing about the program. LIMITED: as it ends at a limit of heddle. SKIPPED: a finding that is
 * suppressed. */
typedef enum hd_report_case_result {
    HD_REPORT_PASSED,
    HD_REPORT_FAILED,
    HD_REPORT_ERROR,
    HD_REPORT_LIMITED,
    HD_REPORT_SKIPPED
} hd_report_case_result;

typedef struct hd_report_case {
    const char *name;
    hd_report_case_result result;
    const char *kind, *message; /* of a test that did not pass */
    double seconds;
} hd_report_case;

/* Returns the exit status. */
int hd_report_cases(const hd_report_case *cases, size_t count, FILE *out);

/* The same in the Test Anything Protocol, version 13. */
int hd_report_tap(const hd_report_case *cases, size_t count, FILE *out);

#endif
