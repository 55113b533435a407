/* Could two accesses of an execution race? One pass over its log, without
 * keeping a trace: for explorers that need nothing else of most executions.
 *
 * Like a trace's sync clocks (event/trace.h), but per object it keeps only
 * what came last: per thread the number of its last access of each sort, the
 * clock of the last release, the clocks of releases that commute. Where that
 * is less than everything, it is taken for less order than there is. So "no" is
 * certain; after "yes" a trace says which.
 *
 * Most memory is handed from thread to thread with all that was done to it, so
 * that one number says that it is in order: as in FastTrack (Flanagan and Freund,
 * 2009), but for accesses of every sort and any bytes of a cell together, and
 * found anew once a thread knows of everything again.
 */
#ifndef HD_EVENT_SCAN_H
#define HD_EVENT_SCAN_H

#include "base/vec.h"
#include "event/op.h"
#include "event/plan.h"

/* Where an object's words are, if `turn` is the current execution's. */
typedef struct hd_scan_slot {
    uint64_t key;
    uint32_t turn, words;
} hd_scan_slot;

typedef struct hd_scan {
    hd_memory *memory;
    hd_scan_slot *slots; /* open addressing */
    uint32_t room, used, turn;
    hd_vec(int32_t) words; /* of all objects */
    int32_t *clocks; /* HD_MAX_THREADS, `width` entries each */
    uint32_t width;
} hd_scan;

void hd_scan_init(hd_scan *s, hd_memory *memory);
void hd_scan_fini(hd_scan *s);

bool hd_scan_may_race(hd_scan *s, const hd_execution *e);

#endif
