/* Children and what must be cleaned up after them.
 *
 * A session blocks the signals that would end the process, so that they arrive
 * while it waits for a child and nowhere else: the child gets the signal too,
 * the temporary files go, and then the process ends by the same signal. */
#ifndef HD_COMPILE_PROCESS_H
#define HD_COMPILE_PROCESS_H

#include "compile/line.h"

#include <signal.h>

typedef struct hd_cc_session {
    hd_arena arena;
    sigset_t caught, before;
    char *folder; /* for temporary files; NULL until needed */
    hd_cc_texts files; /* to remove at the end */
    int signal; /* what ended the last child's wait, or 0 */
} hd_cc_session;

void hd_cc_session_open(hd_cc_session *session);

/* Removes the temporary files; ends the process if a signal asked for it. */
void hd_cc_session_close(hd_cc_session *session);

/* Signals work as before the session, for a process that becomes another. */
void hd_cc_session_unblock(hd_cc_session *session);

/* A new path for a temporary file that is named after `stem`. */
bool hd_cc_session_file(
    hd_cc_session *session, const char *stem, const char *ending, const char **path, hd_error *error);

/* Runs `arguments` (a NULL stands at the end) and gives the exit status, 128 +
 * the signal's number if one ended it. False: it could not be started. */
bool hd_cc_session_run(hd_cc_session *session, const hd_cc_texts *arguments, int *status, hd_error *error);

#endif
