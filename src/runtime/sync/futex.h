/* Futexes: words of memory at which threads sleep.
 *
 * A wait compares the word with the expected value and, if they are equal, makes its
 * thread a sleeper of the futex: one step of two operations, a look at the memory
 * (FUTEX_WAIT) and FUTEX_SLEEP. If they differ, the step is the look alone
 * (FUTEX_DIFFERS). A futex has no state but its sleepers (sleep.h). Which of them a
 * wake-up reaches is a choice; all are explored.
 *
 * A wake-up does not access the word: the kernel does not either, and programs wake
 * threads at words whose memory another thread may have freed by then.
 *
 * The effect of a wake-up for some bits only, of a wake-up of several sleepers that
 * need not be all, and of a requeue depends on more than the number of sleepers.
 * These operations have HD_OP_ATOMIC: explorers do not predict them. */
#ifndef HD_RUNTIME_SYNC_FUTEX_H
#define HD_RUNTIME_SYNC_FUTEX_H

#include "abi/site.h"

#include <stdint.h>

enum { HD_FUTEX_ANY = 0xffffffffu }; /* bits: reaches, or is reached by, everyone */

struct timespec;

/* Looks at the word: would a wait sleep? */
int hd_futex_holds(const uint32_t *word, uint32_t expected, const hd_site *site);

/* Returns 0, EAGAIN (the word differs), or ETIMEDOUT. `until`: the time limit; NULL: none. */
int hd_futex_wait(const uint32_t *word, uint32_t expected, uint32_t bits, const struct timespec *until);

/* Wakes up to `most` sleepers that have one of the bits. Returns how many. */
uint32_t hd_futex_wake(const uint32_t *word, uint32_t most, uint32_t bits);

/* Wakes up to `wakes` sleepers and moves up to `moves` of the others to the futex `to`. If `expected` is not NULL, only
 * if the word has that value: otherwise returns -1. Returns the number of sleepers that were woken or moved. */
int hd_futex_requeue(
    const uint32_t *word, uint32_t wakes, uint32_t moves, const uint32_t *to, const uint32_t *expected);

/* Are the sleepers of the futex as they must be (abi/valid.h)? Each lives, has some bits, holds no mutex for later, and
 * if it waits, it waits here. */
int hd_futex_is_valid(const uint32_t *word);

#endif
