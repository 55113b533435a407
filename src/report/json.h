/* The result as JSON; docs/heddle.1 describes the fields. */
#ifndef HD_REPORT_JSON_H
#define HD_REPORT_JSON_H

#include "base/error.h"
#include "report/result.h"

#include <stdio.h>

/* Errors stay in the stream. */
void hd_report_json_write(const hd_report_result *r, const char *version, FILE *out);

/* False: the file could not be written completely. */
bool hd_report_json(const hd_report_result *r, const char *version, const char *path, hd_error *error);

#endif
