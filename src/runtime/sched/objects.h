/* Synchronisation objects that live in the heap. Whoever frees a block destroys
 * those in it, and that must not commute with their use by others: so freeing
 * performs an operation per object. Which places of the heap hold objects is
 * learned, as shared cells are: what a thread does next must not depend on what
 * others have done with the block in this run.
 */
#ifndef HD_RUNTIME_SCHED_OBJECTS_H
#define HD_RUNTIME_SCHED_OBJECTS_H

#include "abi/wire.h"

/* The object is about to be used by an operation of such a kind: ends the
 * execution if its bytes may not be accessed. That is an operation on it all the
 * same: before the block was freed, the use would have gone well. */
void hd_objects_check(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The same for memory that becomes an object. */
void hd_objects_check_new(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The operation has been performed: it may have been freed meanwhile. */
void hd_objects_check_again(uint8_t kind, const void *object, const hd_site *site);

/* Performs the destruction of all objects among these bytes. */
void hd_objects_destroy(const void *block, size_t bytes);

#endif
