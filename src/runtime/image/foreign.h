/* Foreign code: code that heddle did not compile, and whether the program calls it.
 *
 * heddle does not see what such code does, so a verdict has to name it; but only if
 * it was called, since programs are linked with much that they never use. Detecting
 * the calls costs nothing: while exploring, the code of foreign libraries is not
 * executable, so the first call of any function in a library faults, however it is
 * made; then the library becomes executable again. Functions of foreign objects
 * inside a file that heddle compiled begin with a breakpoint instead, which the
 * first call removes.
 *
 * From the first such call on, the functions that heddle compiled begin with a
 * breakpoint, too, until each is called: if foreign code calls it, it is a callback.
 * (Not noticed: a callback of a function that other code has called in between.)
 *
 * Constructors of foreign code run before the first execution, while only one thread
 * exists, so they happen before everything else: they need not be named, unless they
 * start threads.
 *
 * A library is trusted if it is glibc's (image/modules.h) or named in HD_ENV_TRUST.
 * heddle does not schedule threads that foreign code starts: an execution ends
 * where one is started. */
#ifndef HD_RUNTIME_IMAGE_FOREIGN_H
#define HD_RUNTIME_IMAGE_FOREIGN_H

#include "abi/wire.h"

#include <stdint.h>
#include <ucontext.h>

/* During start-up: names of trusted libraries (may be NULL), and the memory for notes. */
void hd_foreign_init(const char *trusted, hd_foreign *notes, uint32_t *count);

/* From now on calls are noted. `functions` are the functions of the files that heddle compiled: all of them if
 * `all_known`. The array is kept. */
void hd_foreign_watch(const hd_program_function *functions, uint32_t count, int all_known);

/* Is there any foreign code besides the C library, trusted or not? Before hd_foreign_watch was called, the answer is
 * yes, since it is not known. */
int hd_foreign_is_there(void);

/* A fault or a breakpoint: returns 1 if it was the first call of a watched function; the program then continues. */
int hd_foreign_fault(int signal, uint64_t address, ucontext_t *context);

#endif
