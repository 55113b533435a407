/* A system of processes, from the command line or from a file: the programs are found or built, and linked into one
 * image in heddle-out (compile/system.h). From there on the image is a program like any other. */
#ifndef HD_SUPERVISOR_SYSTEM_H
#define HD_SUPERVISOR_SYSTEM_H

#include "supervisor/program.h"

typedef struct hd_system_options {
    hd_word_list processes; /* --proc: "[NAME=]PROGRAM-OR-C-FILES ARGUMENT…" */
    const char *file; /* --system: a file with such a line for each process, or NULL */
    const char *main; /* --main: the name of the process with which an execution ends, or NULL */
    const char *crash; /* --crash: "N" or "N:NAME,NAME…": so many processes, of these, may crash; or NULL */
    uint32_t copies; /* --np: copies of the program on the command line; 0: none */
} hd_system_options;

/* Does it describe a system? */
bool hd_system_is_given(const hd_system_options *o);

/* Like hd_program_find; the words are those of the program that --np copies. */
bool hd_system_find(hd_program *p, const hd_system_options *o, char **words, int count, int dashes,
    const hd_program_build *how, hd_arena *arena, hd_error *error);

/* Links a program that a process becomes by exec into the image. `p` may be a program that is not an image yet: then it
 * becomes one, with a single process. If it fails, `p` is as before. */
bool hd_system_add_program(hd_program *p, const char *path, hd_cc_limits *limits, hd_arena *arena, hd_error *error);

#endif
