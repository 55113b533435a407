/* Synchronisation objects in the heap. Freeing a block destroys the objects in it, and that must not commute with
 * their use by other threads: so freeing performs an operation per object, in
 * one step with the write to the block (runtime/face/memory.c). Which addresses of the heap hold
 * objects is learned, as shared cells are: the next operations of a thread must not depend on what other threads
 * have done with the block in this run.
 *
 * A use of freed memory ends the execution, but only after its operation has been performed. The operation is the
 * same before and after the free, and conflicts with it: so the next operation of a thread does not depend on whether
 * the block has been freed, and explorers know what it needs in the other order. After the free it never blocks
 * (HD_OP_FREED), even if the thread has been waiting since before.
 */
#ifndef HD_RUNTIME_SCHED_OBJECTS_H
#define HD_RUNTIME_SCHED_OBJECTS_H

#include "abi/wire.h"
#include "runtime/core/state.h"

/* The object is about to be used by an operation of this kind: ends the execution if its bytes may not be accessed.
 * Returns 0 if they are freed. The caller must then perform its operation, which ends the execution; the object has its
 * last contents. */
int hd_objects_check(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The same for memory that is being initialised as an object. */
void hd_objects_check_new(uint8_t kind, const void *object, size_t bytes, const hd_site *site);

/* The same after the operation has been performed: the object may have been freed in the meantime. */
void hd_objects_check_again(uint8_t kind, const void *object, const hd_site *site);

/* The thread uses an object in a way that is no operation, because its result depends on the thread's own history
 * alone: it holds the lock. If the object is in memory that is freed in some run, the use is an operation nevertheless.
 */
void hd_objects_look(uint8_t kind, const void *object, hd_ready *ready);

/* The number of objects among these bytes that freeing them destroys. */
uint32_t hd_objects_within(const void *block, size_t bytes);

/* Performs the destruction of all objects among these bytes. */
void hd_objects_destroy(const void *block, size_t bytes);

#endif
