/* The supervisor's side: it starts a worker on a session, watches it, and starts another one if it
 * dies. The session is in the region, which survives workers. */
#ifndef HD_SUPERVISOR_SUPERVISOR_H
#define HD_SUPERVISOR_SUPERVISOR_H

#include "base/ending.h"
#include "worker/session.h"

typedef struct hd_supervisor hd_supervisor;

/* How to start workers. The texts must outlive the supervisor. */
typedef struct hd_supervisor_options {
    const char *program;
    char **arguments; /* argv of the program, NULL at the end */
    const char *symbolic; /* HD_ENV_SYMBOLIC of the program, or NULL */
    bool show_output;
    bool reports; /* findings are reported even if workers fail permanently: see hd_session.failure */
    bool once; /* a worker that dies is an error, and is not replaced */
    hd_ending *ending; /* ends the session when it is due; NULL: nothing does */

    /* Called several times a second while the worker runs; may be NULL. */
    void (*tick)(void *context, const hd_session *s);
    void *context;
} hd_supervisor_options;

/* Creates the region with an empty session; NULL after an error. Only one can be open at a time, as the
 * region has a fixed address. */
hd_supervisor *hd_supervisor_open(const hd_supervisor_options *options, hd_error *error);
void hd_supervisor_close(hd_supervisor *v);

/* The session, to be configured before it is run; valid until the supervisor is closed. */
hd_session *hd_supervisor_session(hd_supervisor *v);

/* Runs the session to its end, or until no worker can bring it there. When the end of the command is due, an
 * exploration or a batch ends with what is known. False: the program does not start, or heddle cc did not build it, or
 * there was no time for a replay. */
bool hd_supervisor_run(hd_supervisor *v, hd_error *error);

/* Between two runs: makes room for another session, and takes the place again. */
void hd_supervisor_pause(hd_supervisor *v);
bool hd_supervisor_resume(hd_supervisor *v, hd_error *error);

/* Takes another region, or the same again, with an empty session; findings stay. `quiet`: without ticks. The caller is
 * the only one with that session. */
bool hd_supervisor_adopt(hd_supervisor *v, int region_fd, bool quiet, hd_error *error);
int hd_supervisor_region(const hd_supervisor *v);

/* Was the worker of the last session killed because the end was due? */
bool hd_supervisor_was_late(const hd_supervisor *v);

#endif
