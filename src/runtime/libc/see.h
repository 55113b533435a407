/* How heddle's versions of C library functions announce the memory that they read and
 * write. Other threads may change the memory before the accesses are performed, so a
 * function that searches for an end searches again afterwards.
 *
 * Each function saves hd_call_site at its start: other threads may run during an
 * access, and overwrite it.
 */
#ifndef HD_RUNTIME_LIBC_SEE_H
#define HD_RUNTIME_LIBC_SEE_H

/* Files that are compiled with twins (FOLLOWED_SOURCES in the Makefile) process data with expressions over inputs byte
 * by byte: so a function like strlen branches as code of the program would. Data without expressions is left to the C
 * library, which is faster. */

#include "abi/fast.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <stddef.h>

/* The ranges that the call accesses, as one step: READS(p, n), WRITES(p, n). */
#define READS(address, bytes) \
    { \
        address, bytes, 0 \
    }
#define WRITES(address, bytes) \
    { \
        address, bytes, 1 \
    }
#define SEE(site, ...) \
    hd_access_ranges( \
        (const hd_range[]) { __VA_ARGS__ }, sizeof((const hd_range[]) { __VA_ARGS__ }) / sizeof(hd_range), site)

/* Announces the read of a string including its end, and returns its length; with a limit, at most `limit` bytes are
 * read. */
size_t hd_see_string(const char *s, const hd_site *site);
size_t hd_see_string_up_to(const char *s, size_t limit, const hd_site *site);

/* Announces the reads of a comparison of two strings: their common start and the first difference, at most `limit`
 * bytes. Returns their number. `fold`: ignores case. */
size_t hd_see_comparison(const char *a, const char *b, size_t limit, int fold, const hd_site *site);

/* Are these bytes free of expressions over inputs? */
int hd_is_plain(const void *address, size_t bytes);

/* The bytes are used in a concrete computation: their expressions are followed (symbolic/branch.h). */
void hd_follow_plainly(const void *address, size_t bytes, const hd_site *site);

/* Returns `n`; in twins, branches on its expression, so that its value is fixed by the path. */
size_t hd_plain_size(size_t n);

/* Ends the run if `needed` bytes do not fit into an object of `room` bytes: the check of _FORTIFY_SOURCE. */
void hd_check_room(size_t needed, size_t room);

#endif
