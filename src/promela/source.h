/* The text of a model after the C preprocessor. Promela users write #define and #include, and SPIN
 * passes their files to `gcc -E`; so do we, if a line starts with '#'. Line markers stay in the
 * text: the lexer interprets them, so that errors name the user's own file and line. */
#ifndef HD_PROMELA_SOURCE_H
#define HD_PROMELA_SOURCE_H

#include "base/error.h"
#include "base/memory.h"

/* The preprocessed text of `file` in `arena`, or NULL with an error.
 * `defines` is a comma-separated list of NAME or NAME=VALUE, or NULL. */
char *hd_promela_source_read(const char *file, const char *defines, hd_arena *arena, hd_error *error);

#endif
