/* Commands that a page starts: `heddle check` of a program in the current folder, and `heddle replay` of a replay file
 * in the folder of runs. A page says what to check and some options, in words; each word is judged, and an option that
 * writes files, passes flags to a compiler or lets a program write to the disk is refused. */
#ifndef HD_SERVE_COMMANDS_H
#define HD_SERVE_COMMANDS_H

#include "base/memory.h"
#include "serve/runs.h"

typedef struct hd_serve_command {
    char **words; /* ends with NULL */
} hd_serve_command;

/* `text` is C files and options, separated by blanks. The check writes its result and its progress into the folder as
 * `name`.json and `name`.progress. */
bool hd_serve_command_check(hd_serve_command *c, const hd_serve_runs *runs, const char *text, const char *name,
    hd_arena *arena, hd_error *error);

/* `file` is a replay file as a result names it. */
bool hd_serve_command_replay(
    hd_serve_command *c, const hd_serve_runs *runs, const char *file, hd_arena *arena, hd_error *error);

/* For hd_serve_job_start; the context is an hd_serve_command. */
int hd_serve_command_run(const void *context);

#endif
