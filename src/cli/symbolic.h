/* What a check takes to be unknown without the program saying so: --sym-arg,
 * --sym-stdin, --sym-file and --sym-env as lines of HD_ENV_SYMBOLIC. */
#ifndef HD_CLI_SYMBOLIC_H
#define HD_CLI_SYMBOLIC_H

#include "base/memory.h"
#include "cli/options.h"

typedef struct hd_symbolic_options {
    const hd_type_texts *arguments, *files, *variables;
    const char *input; /* standard input, or NULL */
} hd_symbolic_options;

enum { HD_SYMBOLIC_LENGTH = 8 /* of arguments, if none is given */ };

/* The lines, or NULL if there are none; `last_argument` is the highest number of
 * an argument. False: an option is not as it must be. */
bool hd_symbolic_lines(
    const hd_symbolic_options *o, hd_arena *arena, const char **lines, uint32_t *last_argument, hd_error *error);

#endif
