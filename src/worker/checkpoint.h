/* Checkpoints: copies of the engine's memory as it was between two executions. If a worker is
 * killed while it changes that memory, it cannot be trusted; the next worker continues from the
 * copy, counters included, so nothing is counted twice. As everything lies at a fixed address and
 * holds no pointers to code, copying the bytes is enough.
 *
 * A copy has the findings as of then as well. A worker's successor does not need them, as they outlive workers; a
 * search that goes on in another session does (supervisor/search_file.h). */
#ifndef HD_WORKER_CHECKPOINT_H
#define HD_WORKER_CHECKPOINT_H

#include "worker/session.h"

/* The address space: the engine allocates below HD_CHECKPOINT_BASE, then come the two copies, then
 * findings, which no checkpoint covers. */
#define HD_CHECKPOINT_BASE (HD_ENGINE_BASE + 0x4000000000ull)
#define HD_KEEP_BASE (HD_CHECKPOINT_BASE + 0x3e00000000ull)

/* Takes a checkpoint if the memory in use and two copies of it fit into `most` bytes; otherwise frees the copies and
 * returns false. Only between executions. */
bool hd_checkpoint_take(hd_session *s, uint64_t most);

/* Frees both copies: the search has started over. */
void hd_checkpoint_drop(void);

/* Goes back to the latest checkpoint. False: there is none. */
bool hd_checkpoint_restore(hd_session *s);

/* The latest copy, as plain bytes. A worker may overwrite it while it is read: then it has not been kept. */
typedef struct hd_checkpoint {
    uint64_t number, size;
    const char *bytes;
} hd_checkpoint;

bool hd_checkpoint_latest(hd_checkpoint *c);
bool hd_checkpoint_was_kept(const hd_checkpoint *c);

/* The session as the copy has it. */
const hd_session *hd_checkpoint_session(const hd_checkpoint *c);

/* In a session that has just been opened: makes a copy of `size` bytes, which the caller has read to `room`, the latest
 * checkpoint, takes its findings, and goes back to it. NULL: there is no room for so much. False: the bytes are no
 * checkpoint. */
char *hd_checkpoint_room(uint64_t size);
bool hd_checkpoint_adopt(hd_session *s, uint64_t size);

#endif
