/* heddle cc: a drop-in C compiler.
 *
 * Each C source is compiled by clang to bitcode that no optimisation has
 * touched, then `instrument` adds the hooks and makes the object at the user's
 * level. A link gets the runtime. Everything else (preprocessing, assembly,
 * questions about the compiler) is clang's.
 */
#ifndef HD_COMPILE_CC_H
#define HD_COMPILE_CC_H

#include "base/error.h"

#include <stddef.h>

/* argv[1..] as a compiler gets them. The exit status: the compiler's own, or 2
 * for what heddle refuses. */
int hd_cc_main(int argc, char **argv);

/* Builds `output` from sources, with the words of `cflags` as further options.
 * Errors in the sources are the compiler's to print; the sentence in `error`
 * says what failed. */
bool hd_cc_build(const char *const *sources, size_t count, const char *cflags, const char *output, hd_error *error);

#endif
