/* How functions of the C library that heddle replaces tell what memory they
 * read and write. The memory may change while the accesses are performed, so a
 * function that looks for an end looks again afterwards.
 *
 * Each function keeps the site of its call from its start: other threads that
 * run during an access leave theirs in hd_call_site.
 */
#ifndef HD_RUNTIME_LIBC_SEE_H
#define HD_RUNTIME_LIBC_SEE_H

/* Files that are compiled with twins (FOLLOWED_SOURCES in the Makefile) look at
 * data themselves, byte by byte, wherever it may hold expressions over inputs:
 * so a function like strlen branches as the program's own code would. What is
 * plain is left to the C library, which is faster. */

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

/* Sees the bytes of a string that a function looks at, its end included, and
 * gives its length; with a limit, at most `limit` bytes are looked at. */
size_t hd_see_string(const char *s, const hd_site *site);
size_t hd_see_string_up_to(const char *s, size_t limit, const hd_site *site);

/* Sees what a comparison of two strings looks at: their common start and the
 * first difference, at most `limit` bytes, and gives how many they are. `fold`:
 * letters of both cases are the same. */
size_t hd_see_comparison(const char *a, const char *b, size_t limit, int fold, const hd_site *site);

/* Do these bytes hold no expression over inputs? */
int hd_is_plain(const void *address, size_t bytes);

/* What they hold goes into something that is computed concretely. */
void hd_follow_plainly(const void *address, size_t bytes, const hd_site *site);

/* The same number; in twins, pinned. */
size_t hd_plain_size(size_t n);

/* Ends the run if `needed` bytes would go into an object of `room` bytes: the
 * check of _FORTIFY_SOURCE. */
void hd_check_room(size_t needed, size_t room);

#endif
