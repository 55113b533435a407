/* Checkpoints: the engine's memory as it was between two executions, copied
 * aside now and then. A worker that is killed in the middle of changing it
 * leaves nothing that can be trusted; the next one goes on from the copy, counts
 * and all, so that nothing is counted twice. Because everything is at a fixed
 * address and without pointers to code, a copy of the bytes is all it takes. */
#ifndef HD_WORKER_CHECKPOINT_H
#define HD_WORKER_CHECKPOINT_H

#include "worker/session.h"

/* The engine allocates below this; the two copies are above, and then what needs none. */
#define HD_CHECKPOINT_BASE (HD_ENGINE_BASE + 0x4000000000ull)
#define HD_KEEP_BASE (HD_CHECKPOINT_BASE + 0x3e00000000ull)

/* Between executions only. */
void hd_checkpoint_take(hd_session *s);

/* What the copies rest on is no longer so. */
void hd_checkpoint_drop(void);

/* False: there is no copy. */
bool hd_checkpoint_restore(hd_session *s);

#endif
