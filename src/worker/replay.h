/* One test again, in a fresh process that tells its story. */
#ifndef HD_WORKER_REPLAY_H
#define HD_WORKER_REPLAY_H

#include "worker/supervisor.h"

typedef struct hd_replay {
    const char *program;
    char **arguments; /* argv of the program, NULL at the end */
    hd_session_config config; /* what its pointers point to is copied */
    bool show_output;
    const char *symbolic; /* HD_ENV_SYMBOLIC of the program, or NULL */
    const char *debugger; /* runs the program inside this one, or NULL */
    char **debugger_arguments;
    void (*tick)(void *context, const hd_session *s);
    void *context;
} hd_replay;

/* Runs it; the story is copied to `arena`. Nothing else may have a session open.
 * False: the program does not start. */
bool hd_replay_run(const hd_replay *r, hd_arena *arena, hd_story *story, hd_error *error);

#endif
