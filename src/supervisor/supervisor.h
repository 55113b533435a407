/* The supervisor's side: it starts a worker on a session, watches it, and starts another one if it
 * dies. The session is in the region, which survives workers. */
#ifndef HD_SUPERVISOR_SUPERVISOR_H
#define HD_SUPERVISOR_SUPERVISOR_H

#include "worker/session.h"

typedef struct hd_supervisor {
    int region_fd;
    hd_session *session; /* mapped at its fixed address, so only one can be open at a time */
    const char *program;
    char **arguments; /* argv of the program, NULL at the end */
    char engine_path[4096];
    bool show_output;
    const char *symbolic; /* HD_ENV_SYMBOLIC of the program, or NULL */
    bool reports; /* findings are reported even if workers fail permanently: see hd_session.failure */
    bool once; /* a worker that dies is an error, and is not replaced */

    /* Called several times a second while the worker runs. */
    void (*tick)(void *context, const hd_session *s);
    void *context;
} hd_supervisor;

/* Creates the region with an empty session. */
bool hd_supervisor_open(hd_supervisor *v, const char *program, char **arguments, hd_error *error);
void hd_supervisor_close(hd_supervisor *v);

/* Runs the session to its end, or until no worker can bring it there. False: the program does not
 * start, or heddle cc did not build it. */
bool hd_supervisor_run(hd_supervisor *v, hd_error *error);

#endif
