/* Runs a helper program and captures its output. */
#ifndef HD_BASE_SUBPROCESS_H
#define HD_BASE_SUBPROCESS_H

#include "base/error.h"
#include "base/memory.h"

/* Runs `arguments` (ends with NULL; the first is looked up in PATH) with empty standard input;
 * standard error is discarded. *output is its standard output, allocated in `arena`. False: it
 * could not be started, or it did not exit with status 0. */
bool hd_subprocess_read(char *const *arguments, hd_arena *arena, char **output, hd_error *error);

#endif
