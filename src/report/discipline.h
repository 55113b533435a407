/* Why no lock protects a variable: which access removed which lock from the candidates. */
#ifndef HD_REPORT_DISCIPLINE_H
#define HD_REPORT_DISCIPLINE_H

#include "report/view.h"

#include <stdio.h>

/* The finding must be about two accesses that violate the lock discipline. */
void hd_report_discipline(hd_report_view *v, FILE *out);

#endif
