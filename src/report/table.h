/* The interleaving as a table: a row per step, a column per thread (with too many threads for a
 * page: the thread's name in each row), and the source line of the step. */
#ifndef HD_REPORT_TABLE_H
#define HD_REPORT_TABLE_H

#include "report/view.h"

#include <stdio.h>

/* `whole`: every step; otherwise only what matters for the finding: steps on the objects involved,
 * and steps around context switches. */
void hd_report_table(hd_report_view *v, bool whole, FILE *out);

#endif
