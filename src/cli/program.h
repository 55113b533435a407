/* What a verb is to run, from the words of its command line: C files, which
 * are built first, or a program that heddle cc has built; then its arguments.
 *
 * What heddle makes for the user is kept in the folder heddle-out of the
 * current directory: the program built from C files, so that a replay can run
 * it later, and the replay files. */
#ifndef HD_CLI_PROGRAM_H
#define HD_CLI_PROGRAM_H

#include "base/error.h"
#include "base/memory.h"
#include "cli/options.h"

#include <stdint.h>

#define HD_OUTPUT_FOLDER "heddle-out"

typedef struct hd_program {
    const char *given; /* as the user wrote it */
    const char *name; /* its last part, without .c: for names of files */
    const char *path; /* absolute */
    char **arguments; /* argv, NULL at the end */
    const char *symbolic; /* what is unknown in its surroundings (HD_ENV_SYMBOLIC), or NULL */
} hd_program;

/* words[0 .. dashes-1] name the files, words[dashes .. count-1] are the program's
 * arguments. Builds if need be. */
bool hd_program_find(
    hd_program *p, char **words, int count, int dashes, const char *cflags, hd_arena *arena, hd_error *error);

/* Notes what is unknown in the program's surroundings. Arguments up to the last
 * that is unknown are there, if need be as empty texts. */
void hd_program_make_unknown(hd_program *p, const char *symbolic, uint32_t last_argument, hd_arena *arena);

/* The libraries that programs may rely on, beside those in the environment
 * (HD_ENV_TRUST): for all that are started from now on. */
void hd_program_trust(const hd_type_texts *libraries, hd_arena *arena);

/* Is there a program that heddle cc has built? */
bool hd_program_check(const char *path, hd_error *error);

/* Makes the folder if it is not there. */
bool hd_output_folder(hd_error *error);

#endif
