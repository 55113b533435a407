/* Child processes and temporary files.
 *
 * A session blocks the signals that would end the process, so that they are received
 * only while it waits for a child. The child gets the signal, too; the temporary files
 * are removed, and then the process ends by the same signal.
 *
 * With limits, each child leads a process group of its own, so that its children end with it. SIGINT and SIGTERM are
 * then noticed by the limits' ending. */
#ifndef HD_COMPILE_PROCESS_H
#define HD_COMPILE_PROCESS_H

#include "compile/limits.h"
#include "compile/line.h"

#include <signal.h>

typedef struct hd_cc_session {
    hd_arena arena;
    sigset_t caught, before;
    hd_cc_limits *limits; /* NULL: none */
    char *folder; /* for temporary files; NULL until needed */
    size_t file_count;
    int signal; /* the signal that was received, or 0 */
} hd_cc_session;

void hd_cc_session_open(hd_cc_session *session, hd_cc_limits *limits);

/* Removes the temporary files; ends the process if a signal was received. */
void hd_cc_session_close(hd_cc_session *session);

/* Restores the signal mask, before the process executes another program. */
void hd_cc_session_unblock(hd_cc_session *session);

/* A new path for a temporary file that is named after `stem`. */
bool hd_cc_session_file(
    hd_cc_session *session, const char *stem, const char *ending, const char **path, hd_error *error);

/* Runs `arguments`, which end with NULL, and sets the exit status: 128 + the signal's number if a signal ended the
 * child. False: it could not be started, or a limit was met. */
bool hd_cc_session_run(hd_cc_session *session, const hd_cc_texts *arguments, int *status, hd_error *error);

#endif
