/* A check from start to end: explores the program, confirms what was found, and makes the result. */
#ifndef HD_SUPERVISOR_CHECK_PROGRAM_H
#define HD_SUPERVISOR_CHECK_PROGRAM_H

#include "report/suppress.h"
#include "supervisor/program.h"
#include "worker/session.h"

#include <stdio.h>

/* Files that are written while the program is explored; NULL: not wanted. */
typedef struct hd_check_files {
    const char *drawing; /* the explorer's graph */
    FILE *progress; /* see hd_progress_record */
    const char *searches; /* the folder of searches that can be resumed (supervisor/keeper.h) */
    uint32_t most_searches; /* that stay in it; 0: all */
    bool resume; /* goes on with the search that is there */
} hd_check_files;

/* The result is in `arena`. `limits` are those of links that exec needs, and their ending is that of the check.
 * `suppressions`: of findings, or
 * NULL; a search that stopped at suppressed findings alone goes on. False: there is no result. If only replay files
 * could not be written, that is an error, too, but the result is complete: *unwritten is set. */
bool hd_check_program(hd_report_result *r, const hd_session_config *config, const hd_program *program,
    const hd_check_files *files, const hd_report_suppressions *suppressions, hd_cc_limits *limits, bool *unwritten,
    hd_arena *arena, hd_error *error);

#endif
