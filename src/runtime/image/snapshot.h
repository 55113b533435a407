/* The global variables of the tested program, in modules that heddle compiled. */
#ifndef HD_RUNTIME_IMAGE_SNAPSHOT_H
#define HD_RUNTIME_IMAGE_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

/* Calls `visit` for each range of variables that is small enough to be copied as a whole; the pages of larger ranges
 * are watched (runtime/reset/rewind.h). */
void hd_snapshot_each(void (*visit)(char *start, size_t size));

/* The same for all ranges. */
void hd_snapshot_each_of_any_size(void (*visit)(char *start, size_t size));

/* Is `address` in a global variable of the tested program? */
int hd_snapshot_holds(uint64_t address);

/* A hash of the current contents of all variables. */
uint64_t hd_snapshot_hash(void);

#endif
