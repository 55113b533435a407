/* The program that a verb runs, from the words of its command line: C files, which are built first, or
 * a program that heddle cc has built; then its arguments.
 *
 * Files that heddle creates for the user are in the folder heddle-out of the current directory: the
 * program built from C files, so that a replay can run it later, and replay files. Such a program is
 * named by its contents: neither another source of the same name, nor other flags, nor a changed
 * source replaces the program that a replay file was recorded with. */
#ifndef HD_SUPERVISOR_PROGRAM_H
#define HD_SUPERVISOR_PROGRAM_H

#include "base/error.h"
#include "base/memory.h"
#include "compile/limits.h"
#include "compile/system.h"

#include <stdint.h>

#define HD_OUTPUT_FOLDER "heddle-out"

/* Values of an option that may be repeated. */
typedef struct hd_word_list {
    const char *const *items;
    uint32_t count;
} hd_word_list;

typedef struct hd_program {
    const char *given; /* as the user wrote it */
    const char *name; /* its base name without .c, for file names */
    const char *path; /* absolute */
    char **arguments; /* argv, NULL at the end */
    const char *symbolic; /* the unknowns of its environment (HD_ENV_SYMBOLIC), or NULL */
    /* If it is an image (supervisor/system.h): what it was linked from. */
    const hd_cc_process *processes;
    size_t process_count;
    hd_cc_programs programs;
} hd_program;

/* How C files are built. */
typedef struct hd_program_build {
    const char *cflags;
    const char *symbolic; /* they follow inputs if there are unknowns (HD_ENV_SYMBOLIC); or NULL */
    hd_cc_limits *limits;
} hd_program_build;

/* words[0 .. dashes-1] are the files, words[dashes .. count-1] the program's arguments. */
bool hd_program_find(
    hd_program *p, char **words, int count, int dashes, const hd_program_build *how, hd_arena *arena, hd_error *error);

/* Takes an image in heddle-out for the program; it gets no arguments. */
bool hd_program_take(hd_program *p, const char *image, hd_arena *arena, hd_error *error);

/* Adds missing arguments up to the last unknown one, as empty strings. */
void hd_program_add_arguments(hd_program *p, uint32_t last_unknown, hd_arena *arena);

/* Adds libraries to those in the environment (HD_ENV_TRUST) that programs started from now on may rely on. */
void hd_program_trust(hd_word_list libraries, hd_arena *arena);

/* Checks that the file is a program built by heddle cc. */
bool hd_program_check(const char *path, hd_error *error);

/* Creates the output folder if it does not exist. */
bool hd_output_folder(hd_error *error);

#endif
