/* Upper bounds of what threads may do, by the functions that they run: allowedOps of Stoller 2000, section 8. The
 * instrumenter has computed what each function may do (abi/allowed.h); a bound is the union over all functions that
 * calls may reach, including those that run in threads which the thread creates.
 *
 * Memory has two parts. A *confined* variable is a global whose address no unit of the program stores, passes on or
 * returns: only accesses that name it reach it. What a site allocates (abi/allowed.h) is confined if pointers to it are
 * in confined pointer variables only, and not passed on from there: only accesses through these reach it. Everything
 * else (heap, stacks, all other variables) may be what an unknown pointer points to.
 *
 * Invariant: a bound includes every operation of its threads on memory, locks and the like, by address. Operations on
 * descriptors, threads and the process are in no bound. */
#ifndef HD_EXPLORE_ALLOWED_H
#define HD_EXPLORE_ALLOWED_H

#include "abi/allowed.h"
#include "base/memory.h"
#include "event/plan.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hd_allowed hd_allowed;

/* A variable, from `address` on. */
typedef struct hd_allowed_range {
    uint64_t address, size;
    bool changes; /* not only reads */
    bool uses; /* as a lock and the like, or in an atomic access */
    uint64_t site; /* that has allocated it: its number; or one of: */
} hd_allowed_range;

enum { HD_ANY_SITE, HD_NO_SITE /* not in the heap */ };

/* What a site allocates. */
typedef struct hd_allowed_object {
    uint64_t site;
    bool changes;
} hd_allowed_object;

/* Open: persistent sets look at the parts of a bound. */
typedef struct hd_bound {
    bool anything; /* then the rest has no meaning */
    bool reads_unknown, changes_unknown, uses_unknown; /* through unknown pointers */
    const hd_allowed_range *ranges;
    uint32_t count;
    const hd_allowed_object *objects;
    uint32_t object_count;
} hd_bound;

/* `items`: of all units, linked (they are copied); `base`: where the program is loaded. */
hd_allowed *hd_allowed_open(const hd_allowed_item *items, size_t count, uint64_t base, hd_memory *memory);

/* The bound of threads that run this function; NULL: main, whose bound is anything. Valid as long as `a` is. */
const hd_bound *hd_allowed_of(hd_allowed *a, const void *start);

/* The site that has allocated the memory that an operation of the last execution was on. */
uint64_t hd_allowed_site(const hd_allowed *a, const hd_execution *e, uint64_t address);

/* May a thread with this bound perform an operation on the bytes that does not commute with one that reads or changes
 * them? */
bool hd_allowed_meets(const hd_allowed *a, const hd_bound *b, hd_allowed_range bytes);

/* May plain accesses through pointers, of a thread with the bound `unknown`, conflict with an operation of a thread
 * with the bound `b`? */
bool hd_allowed_unknown_meets(const hd_allowed *a, const hd_bound *unknown, const hd_bound *b);

#endif
