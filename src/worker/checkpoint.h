/* Checkpoints: copies of the engine's memory as it was between two executions. If a worker is
 * killed while it changes that memory, it cannot be trusted; the next worker continues from the
 * copy, counters included, so nothing is counted twice. As everything lies at a fixed address and
 * holds no pointers to code, copying the bytes is enough. */
#ifndef HD_WORKER_CHECKPOINT_H
#define HD_WORKER_CHECKPOINT_H

#include "worker/session.h"

/* The address space: the engine allocates below HD_CHECKPOINT_BASE, then come the two copies, then
 * findings, which no checkpoint covers. */
#define HD_CHECKPOINT_BASE (HD_ENGINE_BASE + 0x4000000000ull)
#define HD_KEEP_BASE (HD_CHECKPOINT_BASE + 0x3e00000000ull)

/* Takes a checkpoint if the memory in use and two copies of it fit into `most` bytes; otherwise frees the copies. Only
 * between executions. */
void hd_checkpoint_take(hd_session *s, uint64_t most);

/* Frees both copies: the search has started over. */
void hd_checkpoint_drop(void);

/* Goes back to the latest checkpoint. False: there is none. */
bool hd_checkpoint_restore(hd_session *s);

#endif
