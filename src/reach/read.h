/* The SR-sequence of an execution, from its log. Remembers what the executions so far had that sequences do not
 * express. */
#ifndef HD_REACH_READ_H
#define HD_REACH_READ_H

#include "base/map.h"
#include "reach/sequence.h"

#include "event/plan.h"
#include "reach/cycle.h"

/* Open: the explorer asks for what was left out. */
typedef struct hd_sr_reader {
    hd_map receivers; /* mailbox → the thread that receives there + 1 */
    hd_map sends; /* token of a message → event + 1 */
    const char *left_out; /* why the search is not complete */
    bool stops; /* … and cannot go on */
    bool predicts; /* cycles were predicted, and what comes after two rounds was left out */
    uint32_t planned[HD_MAX_THREADS]; /* events of each thread that the execution was to have */
    uint32_t count[HD_MAX_THREADS], until[HD_MAX_THREADS]; /* of each thread: events, and how many are read */
} hd_sr_reader;

void hd_sr_reader_init(hd_sr_reader *x, hd_memory *memory);
void hd_sr_reader_fini(hd_sr_reader *x);

/* `q` is to be released by the caller. */
void hd_sr_read(hd_sr_reader *x, hd_sr *q, const hd_execution *e, hd_memory *memory);

/* Notes that something was left out, unless something else was before. */
void hd_sr_leave_out(hd_sr_reader *x, const char *why);

#endif
