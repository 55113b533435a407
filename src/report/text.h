/* Findings as text, in the format that C programmers know from the sanitizers: what is wrong, each
 * thread's part in it with its stack, the memory or locks involved, the interleaving, a summary
 * line, and the command that shows it again. */
#ifndef HD_REPORT_TEXT_H
#define HD_REPORT_TEXT_H

#include "report/result.h"

#include <stdio.h>

typedef struct hd_report_text {
    FILE *out;
    bool colour;
    bool whole; /* every step of the interleaving */
    int columns; /* the width of the interleaving */
} hd_report_text;

/* Colours if `out` is a terminal and NO_COLOR is not set; as wide as the terminal, else 100 columns. */
hd_report_text hd_report_text_for(FILE *out);

void hd_report_print(const hd_report_text *o, const hd_report_finding *r, const char *program);

/* One line about a limit of heddle that executions met. */
void hd_report_limit(const hd_report_text *o, const hd_report_finding *r);

/* Prints only the interleaving, for an execution without a failure. */
void hd_report_interleaving(const hd_report_text *o, const hd_recorded_run *run, const char *program);

#endif
