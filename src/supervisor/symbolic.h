/* Unknowns of the program's environment, given on the command line: --sym-arg, --sym-stdin,
 * --sym-file, --sym-env and --toss as lines of HD_ENV_SYMBOLIC. */
#ifndef HD_SUPERVISOR_SYMBOLIC_H
#define HD_SUPERVISOR_SYMBOLIC_H

#include "supervisor/program.h"

typedef struct hd_symbolic_options {
    hd_word_list arguments, files, variables, tosses;
    const char *input; /* standard input, or NULL */
} hd_symbolic_options;

enum { HD_SYMBOLIC_LENGTH = 8 /* default length of arguments */ };

/* The lines, or NULL if there are none; `last_argument` is the highest argument number. False: an
 * option is malformed. */
bool hd_symbolic_lines(
    const hd_symbolic_options *o, hd_arena *arena, const char **lines, uint32_t *last_argument, hd_error *error);

#endif
