/* The steps of a recorded run as text, for tables, pages and files. */
#ifndef HD_REPORT_STEP_H
#define HD_REPORT_STEP_H

#include "report/view.h"

/* Is the entry of the log a step that reports show? A failure ends the process, which is no step of the program. */
bool hd_report_is_step(const hd_recorded_run *run, uint32_t entry);

/* Does the entry belong to a call that gives memory back? Such a call is an operation for each part of the block that
 * another thread may access; all but the first of them go on with it. */
bool hd_report_frees(const hd_recorded_run *run, uint32_t entry);
bool hd_report_goes_on_freeing(const hd_recorded_run *run, uint32_t entry);

/* Is it the reading of a clock, or sleeping? Its outcomes are how much later it is. */
bool hd_report_is_clock(const hd_op *op);

/* What the step does: "write counter = 1". `entry`: of run.ops. */
void hd_report_step_text(const hd_report_view *v, uint32_t entry, char *text, size_t size);

/* What a thread does at the end, after its last step: "*** waits for lock"; "": nothing that the finding is about. */
void hd_report_end_text(const hd_report_view *view, uint32_t thread, char *text, size_t size);

#endif
