/* The results of a test run as JUnit XML, which build servers read. */
#ifndef HD_REPORT_JUNIT_H
#define HD_REPORT_JUNIT_H

#include "base/error.h"

#include <stddef.h>

typedef enum hd_junit_result { HD_JUNIT_PASSED, HD_JUNIT_FAILED, HD_JUNIT_ERROR } hd_junit_result;

typedef struct hd_junit_case {
    const char *name;
    hd_junit_result result;
    const char *kind, *message; /* of one that did not pass */
    double seconds;
} hd_junit_case;

bool hd_report_junit(const char *suite, const hd_junit_case *cases, size_t count, const char *path, hd_error *error);

#endif
