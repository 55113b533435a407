/* The interleaving: a row per step, a column per thread (of more than a page
 * is wide for: the thread's name), and the source line of the step at the end. */
#ifndef HD_REPORT_TABLE_H
#define HD_REPORT_TABLE_H

#include "report/view.h"

#include <stdio.h>

/* `whole`: every step; else only what matters for the finding: steps on the
 * objects involved and around changes of thread. */
void hd_table_print(hd_view *v, bool whole, FILE *out);

#endif
