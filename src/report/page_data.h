/* The result of a check as the data of its page: one JSON object, which `heddle check --result` stores and `heddle
 * report` makes a page of.
 *
 *   format "heddle result 1", text (the report as on a terminal), version, program, verdict, status, explorer, seconds,
 *   counts, notices, samples [[seconds, executions, hunting, findings, in sight]…],
 *   unfolding (a graph in dot's language, or null), sources [{ name, lines }…], reached [[source, line, executions]…]
 * (lines at which a block of statements begins), findings [{ kind, message, file, line, function, fingerprint
 * (report/sarif.h), story, replay, confirmed, suppressed, threads [{ name, process, end, source, line }…], objects [{
 * name, what }…], accesses [step, step], messages [[sending step, receiving step]…] (of mailboxes), steps [[thread,
 * text, object, role, value, source, line, [earlier steps…], 1 if it matters to the finding (report/slice.h)]…] }…]
 *
 * Steps, threads, objects and sources are named by their indices, from 0 on; -1: none. The earlier steps of a step are
 * those by other threads that happen immediately before it: on the same object, or through creation, joining and waking
 * up. A value is a text, or null. `text` comes second, so that a page can be made without reading the rest. */
#ifndef HD_REPORT_PAGE_DATA_H
#define HD_REPORT_PAGE_DATA_H

#include "base/json.h"
#include "report/result.h"

#define HD_REPORT_RESULT_FORMAT "heddle result 1"

void hd_report_page_data(const hd_report_result *r, const char *version, const char *text, FILE *out);

#endif
