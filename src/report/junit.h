/* The results of a test run as JUnit XML, which build servers read. */
#ifndef HD_REPORT_JUNIT_H
#define HD_REPORT_JUNIT_H

#include "base/error.h"

#include <stddef.h>

typedef enum hd_report_case_result { HD_REPORT_PASSED, HD_REPORT_FAILED, HD_REPORT_ERROR } hd_report_case_result;

typedef struct hd_report_case {
    const char *name;
    hd_report_case_result result;
    const char *kind, *message; /* of one that did not pass */
    double seconds;
} hd_report_case;

bool hd_report_junit(const char *suite, const hd_report_case *cases, size_t count, const char *path, hd_error *error);

#endif
