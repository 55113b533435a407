/* The interleaving as a table: a row per step, a column per thread, and the source of the step at the right. It is as
 * wide as hd_report_text.columns says: where the threads' columns do not fit, there is one column, and the thread's
 * name in each row.
 *
 * Steps that do not matter to the finding (report/slice.h) are folded: a row says whose they are, in which function,
 * and how many; up to three beside a row of the same function are only missing in the numbers. Rounds of a loop that do
 * the same are shown once. The whole table has every step, and rows that say which function a thread has entered. */
#ifndef HD_REPORT_TABLE_H
#define HD_REPORT_TABLE_H

#include "report/text.h"
#include "report/view.h"

#include <stdio.h>

void hd_report_table(hd_report_view *v, const hd_report_text *options, FILE *out);

#endif
