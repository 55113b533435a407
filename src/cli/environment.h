/* HEDDLE_OPTIONS: options from the environment, for every verb. Its words are separated by spaces, and quotes keep
 * spaces: `stop=never cflags="-O2 -g" leaks`. A word is an option as on the command line, with or without its dashes. A
 * verb takes those that it has; an option that no verb has is an error. The command line comes later, so it wins. */
#ifndef HD_CLI_ENVIRONMENT_H
#define HD_CLI_ENVIRONMENT_H

#include "base/error.h"
#include "base/memory.h"

/* The words of the verb's command line, with those of the environment between the verb and the rest; in `arena`. */
bool hd_cli_environment(const char *verb, int *argc, char ***argv, hd_arena *arena, hd_error *error);

#endif
