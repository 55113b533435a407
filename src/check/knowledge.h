/* What threads know of each other in an execution: how often each thread had published something (hd_kind_publishes),
 * as far as another thread was *told*. Told are those to whom a chain of operations leads whose order is part of the
 * trace. Locks tell nothing: which thread comes to a lock first differs from execution to execution
 * (docs/algorithms/sss.md). */
#ifndef HD_CHECK_KNOWLEDGE_H
#define HD_CHECK_KNOWLEDGE_H

#include "abi/wire.h"
#include "base/map.h"
#include "base/vec.h"

/* Open: embedded in the lockset. Row t is thread t's; further rows are those of objects. */
typedef struct hd_knowledge {
    hd_vec(uint32_t) rows; /* of HD_MAX_THREADS numbers */
    hd_map objects; /* key → its row */
} hd_knowledge;

void hd_knowledge_init(hd_knowledge *k, hd_memory *memory);
void hd_knowledge_fini(hd_knowledge *k);

/* Before the first entry of a log. */
void hd_knowledge_clear(hd_knowledge *k);

/* The next entry. */
void hd_knowledge_note(hd_knowledge *k, const hd_op *op);

/* How often thread `of` has published, as far as `thread` knows. */
uint32_t hd_knowledge_of(const hd_knowledge *k, uint32_t thread, uint32_t of);

#endif
