/* Code that heddle did not compile, and whether the program calls it.
 *
 * What such code does is not seen, so a verdict has to name it; but only if it
 * has been called, for programs are linked with much that they never use. To
 * know that costs nothing: while exploring, the code of foreign libraries is
 * not executable, so the first call of any function in one faults, by whatever
 * way it came, and from then on it is as it was. Functions of foreign objects
 * inside a file that heddle compiled begin with a breakpoint instead, which the
 * first call removes.
 *
 * From the first such call on, the functions that heddle compiled begin with a
 * breakpoint, too, until each is called: if foreign code calls it, it is a callback. (Not
 * noticed: foreign code calls a function that others have called in between.)
 *
 * Constructors of foreign code run before the first execution, while there is one
 * thread, so that everything is ordered behind them: they need no notice, unless
 * they start threads.
 *
 * A library is trusted if it is glibc's (runtime/image/modules.h) or named in
 * HD_ENV_TRUST. Threads that others start are not under heddle's scheduler: an
 * execution that comes to one ends there. */
#ifndef HD_RUNTIME_IMAGE_FOREIGN_H
#define HD_RUNTIME_IMAGE_FOREIGN_H

#include "abi/wire.h"

#include <stdint.h>
#include <ucontext.h>

/* In the program's start-up: what is trusted (may be NULL), where notes go. */
void hd_foreign_init(const char *trusted, hd_foreign *notes, uint32_t *count);

/* From now on calls are noted. `functions` are all of the files that heddle
 * compiled, if `all_known`; they are kept. */
void hd_foreign_watch(const hd_program_function *functions, uint32_t count, int all_known);

/* Is there any such code beside the C library, trusted or not? Behind
 * hd_foreign_watch; where that is not called, there may be. */
int hd_foreign_is_there(void);

/* A fault or a breakpoint: was it the first call of foreign code? Then the
 * program can go on. */
int hd_foreign_fault(int signal, uint64_t address, ucontext_t *context);

#endif
