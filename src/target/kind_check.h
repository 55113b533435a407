/* Do operations do what their rows in abi/ops.def say? Checked at every decision
 * of every execution in debug builds (make DEBUG=1): a row that is wrong makes
 * explorers leave executions out, and nothing else would notice.
 *
 * A pending operation of the runtime knows its object's real state: whether it is
 * enabled there, and which of its kinds it is. Two things must agree with that:
 *
 *   the count    what the object has after the operations in the log, by what
 *                their rows say that they add: needs, decided by, otherwise,
 *                outcomes and the roles of those that sleep and wake
 *   commuting    what the operation was at the last decision, if nothing was done
 *                since that its row says it conflicts with: effect and commutes
 */
#ifndef HD_TARGET_KIND_CHECK_H
#define HD_TARGET_KIND_CHECK_H

#include "abi/wire.h"

#include <stdbool.h>

/* A pending operation as it was at the last decision. */
typedef struct hd_kind_seen {
    hd_op op;
    bool known, enabled;
} hd_kind_seen;

typedef struct hd_kind_check {
    uint32_t log_count; /* at the last decision */
    hd_kind_seen pending[HD_MAX_THREADS];
} hd_kind_check;

/* Before the first decision of an execution. */
void hd_kind_check_start(hd_kind_check *check);

/* At a decision: what is wrong with the row of a pending operation, and of which thread; NULL: nothing. */
const char *hd_kind_check_decision(hd_kind_check *check, hd_runtime *runtime, uint32_t *thread);

#endif
