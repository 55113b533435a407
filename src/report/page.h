/* The page of a run: one HTML file without any reference to another one. Its parts are the files in report/html, which
 * are embedded at build time. The text of the report is in the page as it is on a terminal, for readers without
 * JavaScript and for printing. */
#ifndef HD_REPORT_PAGE_H
#define HD_REPORT_PAGE_H

#include "base/error.h"
#include "report/result.h"

/* Stores the result for hd_report_page_of (report/page_data.h). */
bool hd_report_store(const hd_report_result *r, const char *version, const char *path, hd_error *error);

bool hd_report_page(const hd_report_result *r, const char *version, const char *path, hd_error *error);

/* Makes the page of a stored result. */
bool hd_report_page_of(const char *result, const char *path, hd_arena *arena, hd_error *error);

#endif
