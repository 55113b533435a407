/* The result as SARIF 2.1.0, which code hosts and editors read (OASIS, Static Analysis Results Interchange Format).
 *
 * A finding is a result: its kind is the rule, its steps are one thread flow per thread with the order of execution,
 * and its other positions (the earlier access of a race, the threads of a deadlock, where a block was allocated and
 * freed) are related locations. The fingerprint is made of the kind and of the functions and source texts of the
 * positions, so that it stays the same when lines are added elsewhere in the file. */
#ifndef HD_REPORT_SARIF_H
#define HD_REPORT_SARIF_H

#include "base/error.h"
#include "report/result.h"

bool hd_report_sarif(const hd_report_result *r, const char *version, const char *path, hd_error *error);

/* The fingerprint, in hexadecimal digits. */
enum { HD_REPORT_FINGERPRINT = 17 };
void hd_report_fingerprint(const hd_report_finding *f, const char *program, char text[static HD_REPORT_FINGERPRINT]);

#endif
