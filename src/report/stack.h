/* Stacks and threads as text. */
#ifndef HD_REPORT_STACK_H
#define HD_REPORT_STACK_H

#include "report/view.h"

#include <stdio.h>

enum { HD_REPORT_NAME = 80 };

/* "T1", or "alice/T1" in a system of processes. */
void hd_report_thread_tag(const hd_recorded_run *run, uint32_t thread, char text[static HD_REPORT_NAME]);

/* "main thread", "thread T2". */
void hd_report_thread_name(const hd_recorded_run *run, uint32_t thread, char text[static HD_REPORT_NAME]);

/* "    #0 function file.c:12:5", one line per frame. `location` is the operation's own position: it
 * has a column even if the stack does not, and is printed alone if the stack is unknown. */
void hd_report_stack(const hd_report_view *v, const hd_stack *stack, const hd_location *location, FILE *out);
void hd_report_location(const hd_report_view *v, uint32_t number, const hd_location *location, FILE *out);

#endif
