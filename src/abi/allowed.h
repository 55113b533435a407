/* What each function may do: upper bounds that the instrumenter computes, for persistent sets (explore/allowed.h).
 *
 * Every object file has a section of items. The linker concatenates the sections of all units. It is no part of the
 * loaded program; its name makes linkers treat it like debugging information: references from it keep nothing, and
 * addresses that are not known at link time are 0.
 *
 * An operation that is not listed is not possible: an access through an unknown pointer, a call of an unknown function
 * and everything else that is not understood has an item that includes it.
 *
 * Objects of the heap are told apart by where they are allocated: a *site* is a call of malloc and the like in the
 * source, and its number a hash of the place. The pointers to what a site allocates are followed as long as they are in
 * registers or in *pointer variables*: globals that the unit only loads and stores as a whole. */
#ifndef HD_ABI_ALLOWED_H
#define HD_ABI_ALLOWED_H

#include <stdint.h>

#define HD_ALLOWED_SECTION ".debug_heddle"

typedef enum hd_allowed_kind {
    HD_ALLOWED_UNIT = 0x6864000, /* begins the items of a unit, and numbers its functions from 0 */
    HD_ALLOWED_STAYS, /* the variable is accessed by its name only, in this unit */
    HD_ALLOWED_POINTS, /* the same, and it is a pointer variable */
    HD_ALLOWED_ESCAPES, /* unknown pointers may point to the variable */
    HD_ALLOWED_TAKEN, /* unknown pointers may point to the function `number` */
    HD_ALLOWED_TAKEN_ELSEWHERE, /* … to the function at `address` */
    HD_ALLOWED_SITE, /* the unit has the site `number` */
    HD_ALLOWED_SITE_ESCAPES, /* unknown pointers may point to what the site `number` allocates */
    HD_ALLOWED_HOLDS, /* the pointer variable may hold what the site `number` allocates */
    HD_ALLOWED_HOLDS_UNKNOWN, /* … any pointer that unknown pointers may be */
    HD_ALLOWED_GIVES, /* unknown pointers may be what the pointer variable holds */
    HD_ALLOWED_FOREIGN, /* the unit calls the function at `address`; heddle does not know it, if the program has none
                           there */
    HD_ALLOWED_UNBOUNDED, /* the unit registers functions that any thread may run, or has its own of abi/confined.def */
    HD_ALLOWED_FUNCTION, /* begins the next function, at `address`; 0: it has none. What it may do: */
    HD_ALLOWED_READS, /* read bytes of a variable, from `address` on */
    HD_ALLOWED_CHANGES, /* change them */
    HD_ALLOWED_USES, /* use them in an atomic access or as a lock, semaphore and the like */
    HD_ALLOWED_READS_UNKNOWN, /* read through an unknown pointer: heap, stacks, variables that escape */
    HD_ALLOWED_CHANGES_UNKNOWN,
    HD_ALLOWED_USES_UNKNOWN,
    HD_ALLOWED_READS_OBJECT, /* read what the site `number` allocates, or what the pointer variable at `address` holds
                              */
    HD_ALLOWED_CHANGES_OBJECT,
    HD_ALLOWED_CALLS, /* call the function `number` of this unit, or start a thread with it */
    HD_ALLOWED_CALLS_ELSEWHERE, /* … the function at `address` */
    HD_ALLOWED_CALLS_UNKNOWN, /* … any function to which unknown pointers may point */
    HD_ALLOWED_ANYTHING
} hd_allowed_kind;

typedef struct hd_allowed_item {
    uint64_t kind; /* hd_allowed_kind */
    uint64_t address; /* of a function or variable, when the program is linked */
    uint64_t number; /* of a function of this unit; of bytes and variables: the size */
} hd_allowed_item;

/* A site's number is none of small ones. The text is that of hd_site. */
static inline uint64_t hd_allowed_site_number(const char *file, uint32_t line, uint32_t column)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *file; file++)
        hash = (hash ^ (unsigned char)*file) * 0x100000001b3u;
    return (hash ^ ((uint64_t)line << 32 | column)) * 0x100000001b3u | 1ull << 63;
}

#endif
