/* The supervisor's side: starts a worker on a session, watches it, starts
 * another when it dies, and keeps what must last. */
#ifndef HD_WORKER_SUPERVISOR_H
#define HD_WORKER_SUPERVISOR_H

#include "worker/session.h"

typedef struct hd_supervisor {
    int region_fd;
    hd_session *session; /* mapped at its fixed address: one at a time */
    const char *program;
    char **arguments; /* argv of the program, NULL at the end */
    char engine_path[4096];
    bool show_output;
    const char *symbolic; /* HD_ENV_SYMBOLIC of the program, or NULL */
    bool reports; /* what was found is reported also if workers fail for good: see hd_session.failure */
    bool once; /* a worker that dies is not started again: that is an error */

    /* Called a few times a second while the worker works. */
    void (*tick)(void *context, const hd_session *s);
    void *context;
} hd_supervisor;

/* Makes the region with an empty session in it. */
bool hd_supervisor_open(hd_supervisor *v, const char *program, char **arguments, hd_error *error);
void hd_supervisor_close(hd_supervisor *v);

/* Runs the session to its end, or until it is clear that no worker will come to
 * it. False: the program does not start, or is not one that heddle cc built. */
bool hd_supervisor_run(hd_supervisor *v, hd_error *error);

#endif
