/* Synchronisation objects that live in the heap. Whoever frees a block destroys
 * those in it, and that must not commute with their use by others: so freeing
 * performs an operation per object. Which places of the heap hold objects is
 * learned, as shared cells are: what a thread does next must not depend on what
 * others have done with the block in this run.
 */
#ifndef HD_RUNTIME_OBJECTS_H
#define HD_RUNTIME_OBJECTS_H

#include "abi/wire.h"

/* An operation of this kind has been performed on the object. */
void hd_objects_note(uint8_t kind, const void *object);

/* Performs the destruction of all objects among these bytes. */
void hd_objects_destroy(const void *block, size_t bytes);

#endif
