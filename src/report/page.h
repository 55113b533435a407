/* The page of a run: one HTML file without any reference to another one. Its parts are the files in report/html, which
 * are embedded at build time. The text of the report is in the page as it is on a terminal, for readers without
 * JavaScript and for printing. */
#ifndef HD_REPORT_PAGE_H
#define HD_REPORT_PAGE_H

#include "base/error.h"
#include "report/result.h"

#include <stdio.h>

/* Writes the result for hd_report_page_of (report/page_data.h), or stores it in a file. */
void hd_report_result_write(const hd_report_result *r, const char *version, FILE *out);
bool hd_report_store(const hd_report_result *r, const char *version, const char *path, hd_error *error);

bool hd_report_page(const hd_report_result *r, const char *version, const char *path, hd_error *error);

/* Is this the text of a stored result? */
bool hd_report_is_result(const char *data);

/* What a page that a server sends has besides: the nonce of its scripts and styles, and more in its head and at its
 * end.
 */
typedef struct hd_report_served {
    const char *nonce, *head, *more;
} hd_report_served;

/* Writes the page of a stored result's text. False: the text is damaged. */
bool hd_report_page_write(const char *data, const hd_report_served *served, FILE *out);

/* Files of the page, for others that look like it. */
extern const char hd_report_css[], hd_report_dom_js[], hd_report_chart_js[];

/* Makes the page of a stored result. */
bool hd_report_page_of(const char *result, const char *path, hd_arena *arena, hd_error *error);

#endif
