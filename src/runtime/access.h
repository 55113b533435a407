/* Accesses to memory: which of them are operations.
 *
 * An access is an operation if its cell is *shared*. That is learned: a cell
 * that one thread alone touches in a run is that thread's own. When a second
 * thread touches it, the cell is shared from then on, in all runs, and this run
 * ends as HD_LEARNED, because what it has logged is not all there was.
 * Every cell that an atomic operation touches is shared.
 */
#ifndef HD_RUNTIME_ACCESS_H
#define HD_RUNTIME_ACCESS_H

#include <stdint.h>

/* `owners` is zeroed memory of HD_OWNER_CELLS words, kept from run to run. */
void hd_access_init(uint32_t *owners);
void hd_access_new_run(void);

/* The mark of thread `id` in this run. */
uint32_t hd_access_mark(uint32_t id);

/* No other thread is left: what was touched before is ordered before. */
void hd_access_forget(void);

/* Was a cell found to be shared in this run? */
int hd_access_learned(void);

#endif
