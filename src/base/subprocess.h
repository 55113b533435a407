/* Running a helper program and taking what it prints. */
#ifndef HD_BASE_SUBPROCESS_H
#define HD_BASE_SUBPROCESS_H

#include "base/error.h"
#include "base/memory.h"

/* Runs `arguments` (NULL at the end; the first is looked up in PATH) with no
 * input and its complaints thrown away; *output is its standard output as one
 * text. False: it is not there, or it failed. */
bool hd_subprocess_read(char *const *arguments, hd_arena *arena, char **output, hd_error *error);

#endif
