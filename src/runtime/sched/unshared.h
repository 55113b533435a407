/* Memory that is annotated as unshared: variables, for all runs, and blocks of the heap, until they are freed. As long
 * as one thread uses the memory, its accesses are no operations.
 *
 *   tentatively unshared   accesses to cells that are shared (access.h) are operations as everywhere
 *   unshared               accesses are no operations, although other threads use the cells in other runs, or other
 *                          memory that had the same address. What a second thread does while the first is there is
 *                          noticed, cell by cell: that refutes the annotation for all runs, and this run does not count
 *
 * Accesses that are operations have the flag HD_OP_UNSHARED; two threads that make such accesses are a finding
 * (check/claims.c). */
#ifndef HD_RUNTIME_SCHED_UNSHARED_H
#define HD_RUNTIME_SCHED_UNSHARED_H

#include "abi/wire.h"

typedef enum hd_unshared { HD_TENTATIVELY_UNSHARED, HD_UNSHARED } hd_unshared;

extern uint32_t hd_unshared_count; /* of annotated objects */

void hd_unshared_add(const void *object, size_t bytes, hd_unshared how);

/* Does the access use bytes of an annotated object? */
int hd_unshared_is_used(const hd_op *access);

/* Is an access of the current thread to these bytes, whose cells are shared, none to other threads, because the bytes
 * are unshared? */
int hd_unshared_keeps(const void *address, uint64_t bytes);

/* The block is freed. */
void hd_unshared_forget(const void *block);

/* Forgets what the last run has added. */
void hd_unshared_new_run(void);

#endif
