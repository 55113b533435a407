/* The outcome of replaying a recorded test, as text: where it differs from the record, what happened, and
 * whether that is the recorded failure. */
#ifndef HD_REPORT_REPLAYED_H
#define HD_REPORT_REPLAYED_H

#include "event/record.h"
#include "report/text.h"

/* Did the run show the recorded failure? In a changed program it may be on another line: then kind and
 * message identify it. */
bool hd_report_is_same_failure(const hd_record *record, const hd_recorded_run *run);

/* Says which step no longer fits the program, if one does not. */
void hd_report_misfit(const hd_record *record, const hd_recorded_run *run, FILE *out);

/* `again` is the run with its finding, if it has one. Returns the exit status. */
int hd_report_replayed(const hd_report_text *o, const hd_record *record, const hd_report_finding *again);

#endif
