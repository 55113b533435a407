/* The result of a check as test cases, for JUnit's XML: a case for each finding, which fails or, if the finding is
 * suppressed, was skipped. Without a finding that counts there is one case for the check itself, which passes if
 * everything was explored. */
#ifndef HD_REPORT_CHECK_CASES_H
#define HD_REPORT_CHECK_CASES_H

#include "report/cases.h"
#include "report/result.h"

/* The cases are in `arena`; returns their number. */
size_t hd_report_check_cases(const hd_report_result *r, const hd_report_case **cases, hd_arena *arena);

#endif
