/* The global variables of the tested program, as they were before main: saved
 * once, restored before every run. Small ones are copied; of large ones only
 * the pages that were written, which the memory protection tells. */
#ifndef HD_RUNTIME_SNAPSHOT_H
#define HD_RUNTIME_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

void hd_snapshot_save(void);
void hd_snapshot_restore(void);

/* Is `address` in a global variable of the tested program? */
int hd_snapshot_holds(uint64_t address);

/* A hash of what they hold now. */
uint64_t hd_snapshot_hash(void);

/* A write to `address` faulted: was that the protection of a saved page? Then
 * it is writable now. */
int hd_snapshot_fault(uint64_t address);

#endif
