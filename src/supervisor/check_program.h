/* A check from start to end: explores the program, confirms what was found, and makes the result. */
#ifndef HD_SUPERVISOR_CHECK_PROGRAM_H
#define HD_SUPERVISOR_CHECK_PROGRAM_H

#include "report/suppress.h"
#include "supervisor/program.h"
#include "worker/session.h"

/* The result is in `arena`. `drawing`: the file for the explorer's graph, or NULL. `suppressions`: of findings, or
 * NULL; a search that stopped at suppressed findings alone goes on. False: there is no result. If only replay files
 * could not be written, that is an error, too, but the result is complete: *unwritten is set. */
bool hd_check_program(hd_report_result *r, const hd_session_config *config, const hd_program *program,
    const char *drawing, const hd_report_suppressions *suppressions, bool *unwritten, hd_arena *arena, hd_error *error);

#endif
