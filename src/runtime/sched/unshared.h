/* Memory that is annotated as unshared: variables, for all runs, and blocks of the heap, until they are freed. Accesses
 * to it that are operations have the flag HD_OP_UNSHARED; two threads that make such accesses refute the annotation
 * (check/claims.c). As long as one thread uses the memory, its accesses are no operations. */
#ifndef HD_RUNTIME_SCHED_UNSHARED_H
#define HD_RUNTIME_SCHED_UNSHARED_H

#include "abi/wire.h"

extern uint32_t hd_unshared_count; /* of annotated objects */

void hd_unshared_add(const void *object, size_t bytes);

/* Does the access use bytes of an annotated object? */
int hd_unshared_is_used(const hd_op *access);

/* The block is freed. */
void hd_unshared_forget(const void *block);

/* Forgets what the last run has added. */
void hd_unshared_new_run(void);

#endif
