/* Sets of locks as numbers. Each set exists once, so two sets are equal if their numbers are, and intersections are
 * computed once.
 *
 * Invariant: the locks of a set are sorted; the set without locks is HD_NO_LOCKS. HD_ALL_LOCKS is no set, but the bound
 * of all of them: what it meets is the other set. */
#ifndef HD_CHECK_LOCK_SETS_H
#define HD_CHECK_LOCK_SETS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of locks, as a number. */
typedef uint32_t hd_lock_set;
enum { HD_NO_LOCKS = 0, HD_ALL_LOCKS = 0xffffffffu };

/* Where a set has its locks. */
typedef struct hd_lock_span {
    uint32_t first, count;
} hd_lock_span;

/* Open: embedded in the lockset. */
typedef struct hd_lock_sets {
    hd_vec(uint64_t) locks; /* of all sets */
    hd_vec(hd_lock_span) sets;
    hd_map numbers; /* hash of a set → its number + 1 */
    hd_map meets; /* two sets → their intersection + 1 */
} hd_lock_sets;

void hd_lock_sets_init(hd_lock_sets *s, hd_memory *memory);
void hd_lock_sets_fini(hd_lock_sets *s);

/* A set is made by adding its locks one after another. hd_lock_sets_begin returns what the other calls need. */
static inline uint32_t hd_lock_sets_begin(const hd_lock_sets *s)
{
    return (uint32_t)s->locks.count;
}

void hd_lock_sets_add(hd_lock_sets *s, uint32_t begun, uint64_t lock);
hd_lock_set hd_lock_sets_end(hd_lock_sets *s, uint32_t begun);

/* The locks that both have. */
hd_lock_set hd_lock_sets_meet(hd_lock_sets *s, hd_lock_set a, hd_lock_set b);

const uint64_t *hd_lock_sets_locks(const hd_lock_sets *s, hd_lock_set set, uint32_t *count);
bool hd_lock_sets_has(const hd_lock_sets *s, hd_lock_set set, uint64_t lock);

/* Checks: the locks of each set are sorted, and sets are pairwise different. */
bool hd_lock_sets_are_valid(const hd_lock_sets *s);

#endif
