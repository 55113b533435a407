/* Whether an object has been initialised: its bytes say so.
 *
 * All zeros is what static initialisers leave, and is valid for mutexes,
 * read-write locks and condition variables of POSIX; a lock that is taken in this
 * state must not be initialised any more. Everything else that is not one of these
 * words is memory that nobody has initialised: heap blocks and locks on the stack
 * are filled with such bytes (heap.c, passes/fill.c).
 */
#ifndef HD_RUNTIME_SYNC_MADE_H
#define HD_RUNTIME_SYNC_MADE_H

#include <stdint.h>

typedef enum hd_made {
    HD_MADE_STATICALLY = 0,
    HD_MADE = 0x6564616d,
    HD_MADE_BY_USE = 0x64657375, /* zeros that have been locked */
    HD_NOT_MADE = 0x656e6f6e, /* zeros, where these are no initial value */
    HD_UNMADE = 0x656e6f67 /* destroyed, if the object has no other place to say so */
} hd_made;

static inline int hd_is_made(uint32_t made)
{
    return made == HD_MADE_STATICALLY || made == HD_MADE || made == HD_MADE_BY_USE;
}

/* C11 has no static initialisers. The word changes if it is still 0; what it was
 * does not matter to an initialisation that follows. */
static inline void hd_made_dynamically(uint32_t *made)
{
    if (*made == HD_MADE_STATICALLY)
        *made = HD_NOT_MADE;
}

#endif
