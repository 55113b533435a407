/* Confirms findings: every finding is reproduced in a fresh process, which records its stacks, and
 * gets a replay file. A finding that a fresh process does not reproduce is reported all the same,
 * as unconfirmed. */
#ifndef HD_SUPERVISOR_CONFIRM_H
#define HD_SUPERVISOR_CONFIRM_H

#include "base/ending.h"
#include "supervisor/findings_copy.h"
#include "supervisor/program.h"
#include "report/result.h"

/* Fills in result->findings; those that are there already, by their keys, are taken over. No session may be open.
 * False: a replay file could not be written; the findings are filled in nevertheless. */
bool hd_confirm(hd_report_result *result, const hd_findings_copy *h, const hd_program *program, hd_ending *ending,
    hd_arena *arena, hd_error *error);

#endif
