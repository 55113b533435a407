/* The result as JSON: the fields that docs/heddle.1 lists. */
#ifndef HD_REPORT_JSON_H
#define HD_REPORT_JSON_H

#include "report/result.h"

/* False: the file cannot be written, or not all of it. */
bool hd_report_json(const hd_result *r, const char *version, const char *path, hd_error *error);

#endif
