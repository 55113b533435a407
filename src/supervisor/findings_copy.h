/* The findings of a session, copied out of the region: they are confirmed in sessions of their own, and
 * only one session can be open at a time. */
#ifndef HD_SUPERVISOR_FINDINGS_COPY_H
#define HD_SUPERVISOR_FINDINGS_COPY_H

#include "worker/session.h"

typedef struct hd_findings_copy {
    hd_found *found; /* bugs first, then limits of heddle */
    uint64_t *met; /* how many executions ended with each */
    uint32_t found_count;
    hd_found_race *races; /* `found` is an index into this copy */
    uint32_t race_count;
    hd_session_config config; /* fork: executions had processes of their own at the end */
} hd_findings_copy;

/* The copy is in `arena`. */
void hd_findings_copy_take(hd_findings_copy *h, const hd_session *s, hd_arena *arena);

#endif
