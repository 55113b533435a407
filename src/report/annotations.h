/* Findings as annotations of GitHub Actions: lines of output that the service shows at the source lines. */
#ifndef HD_REPORT_ANNOTATIONS_H
#define HD_REPORT_ANNOTATIONS_H

#include "report/result.h"

#include <stdio.h>

/* Does this run as a job of GitHub Actions? */
bool hd_report_wants_annotations(void);

void hd_report_annotations(const hd_report_result *r, FILE *out);

#endif
