/* From what a worker found to what is reported: every finding is shown once
 * more in a fresh process, which tells its story, and gets its replay file.
 * What a fresh process does not show again is reported all the same, as
 * unconfirmed. */
#ifndef HD_CLI_CONFIRM_H
#define HD_CLI_CONFIRM_H

#include "cli/program.h"
#include "cli/progress.h"
#include "report/result.h"

/* What outlives the session: copies of its findings and notices. */
typedef struct hd_haul {
    hd_found *found;
    uint32_t found_count;
    bool fork; /* as it was in the end */
} hd_haul;

void hd_haul_copy(hd_haul *h, const hd_session *s, hd_arena *arena);

/* Fills in result->findings. No session may be open. False: a replay file
 * cannot be written; the findings are there nevertheless. */
bool hd_confirm(hd_result *result, const hd_haul *h, const hd_program *program, hd_progress *progress, hd_arena *arena,
    hd_error *error);

#endif
