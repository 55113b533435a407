/* Replays one test in a fresh process and returns its recorded execution. */
#ifndef HD_SUPERVISOR_REPLAY_H
#define HD_SUPERVISOR_REPLAY_H

#include "event/record.h"
#include "supervisor/supervisor.h"

typedef struct hd_replay {
    const char *program;
    char **arguments; /* argv of the program, NULL at the end */
    hd_session_config config; /* deep-copied into the region */
    bool show_output;
    const char *symbolic; /* HD_ENV_SYMBOLIC of the program, or NULL */
    const char *debugger; /* run the program under this debugger, or NULL */
    char **debugger_arguments;
    hd_ending *ending; /* see hd_supervisor_options */
} hd_replay;

/* Reads a replay file. A relative path of the program is relative to the file's folder. */
bool hd_replay_read(hd_record *record, const char *path, hd_arena *arena, hd_error *error);

/* Checks that the record's program exists and was built by heddle cc. */
bool hd_replay_check(const hd_record *record, hd_error *error);

/* argv of the record's program, in `arena`. */
char **hd_replay_arguments(const hd_record *record, hd_arena *arena);

/* The replay of a record, which must outlive it. */
hd_replay hd_replay_of(const hd_record *record, hd_arena *arena);

/* Runs the test; the recorded run is copied to `arena`. No other session may be open. False: the program
 * does not start, or there is no time. */
bool hd_replay_run(const hd_replay *r, hd_arena *arena, hd_recorded_run *run, hd_error *error);

#endif
