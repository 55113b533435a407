/* heddle cc: a drop-in C compiler.
 *
 * clang compiles each C source to bitcode without optimisation; then `instrument`
 * inserts the hooks, optimises at the user's level and writes the object. Linking
 * adds the runtime. Everything else (preprocessing, assembly, queries) is left to
 * clang.
 */
#ifndef HD_COMPILE_CC_H
#define HD_COMPILE_CC_H

#include "base/error.h"
#include "compile/limits.h"

#include <stddef.h>

/* argv[1..] are the arguments of a compiler. Returns the compiler's exit status, or 2 if heddle refuses an input. */
int hd_cc_main(int argc, char **argv);

/* Builds `output` from sources, with the words of `cflags` as further options. The compiler prints errors in the
 * sources; `error` says what failed. Then there is no output. */
bool hd_cc_build(const char *const *sources, size_t count, const char *cflags, const char *output, hd_cc_limits *limits,
    hd_error *error);

#endif
