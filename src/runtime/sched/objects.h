/* Synchronisation objects in the heap. Freeing a block destroys the objects in it, and that must not commute with
 * their use by other threads: so freeing performs an operation per object. Which addresses of the heap hold
 * objects is learned, as shared cells are: the next operations of a thread must not depend on what other threads
 * have done with the block in this run.
 */
#ifndef HD_RUNTIME_SCHED_OBJECTS_H
#define HD_RUNTIME_SCHED_OBJECTS_H

#include "abi/wire.h"

/* The object is about to be used by an operation of this kind: ends the execution if its bytes may not be accessed.
 * Even then an operation on the object is performed first: in an order in which the block is freed later, the
 * use would have been allowed. */
void hd_objects_check(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The same for memory that is being initialised as an object. */
void hd_objects_check_new(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The same after the operation has been performed: the object may have been freed in the meantime. */
void hd_objects_check_again(uint8_t kind, const void *object, const hd_site *site);

/* Performs the destruction of all objects among these bytes. */
void hd_objects_destroy(const void *block, size_t bytes);

#endif
