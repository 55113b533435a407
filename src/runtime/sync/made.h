/* Whether an object is initialised, as a word in its bytes.
 *
 * All zeros is the value of static initialisers, and valid for mutexes, read-write
 * locks and condition variables of POSIX; a lock that was taken in this state must
 * not be initialised any more. Every other word is uninitialised memory: heap blocks
 * and locks on the stack are filled with such bytes (reset/heap.c, passes/fill.c).
 */
#ifndef HD_RUNTIME_SYNC_MADE_H
#define HD_RUNTIME_SYNC_MADE_H

#include <stdint.h>

typedef enum hd_made {
    HD_MADE_STATICALLY = 0,
    HD_MADE = 0x6564616d,
    HD_MADE_BY_USE = 0x64657375, /* was zeros, and has been locked */
    HD_NOT_MADE = 0x656e6f6e, /* was zeros, which is not a valid state of this object */
    HD_UNMADE = 0x656e6f67 /* destroyed, for objects that have no other field for it */
} hd_made;

static inline int hd_is_made(uint32_t made)
{
    return made == HD_MADE_STATICALLY || made == HD_MADE || made == HD_MADE_BY_USE;
}

/* C11 has no static initialisers: zeros are not initialised. The word may be changed, because an initialisation that
 * follows does not depend on it. */
static inline void hd_made_dynamically(uint32_t *made)
{
    if (*made == HD_MADE_STATICALLY)
        *made = HD_NOT_MADE;
}

#endif
