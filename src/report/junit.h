/* The results of a test run as JUnit XML, which build servers read. */
#ifndef HD_REPORT_JUNIT_H
#define HD_REPORT_JUNIT_H

#include "base/error.h"
#include "report/cases.h"

bool hd_report_junit(const char *suite, const hd_report_case *cases, size_t count, const char *path, hd_error *error);

#endif
