/* Persistent sets (Godefroid 1996) by Algorithms 2-MLD and 2-MLD' of Stoller 2000, sections 8 and 9
 * (docs/algorithms/sss.md). They differ in what the discipline in force allows: Eraser's rule MLD, or MLD'.
 *
 * The set of a state is given by threads: all enabled steps of each of them. It begins with one thread. A thread joins
 * it if something that it may ever do (its bound, explore/allowed.h) depends on what a thread of the set may do next,
 * or if a thread of the set waits for its end. So other threads cannot interfere with the next steps of the set before
 * one of these steps is taken.
 *
 * A thread that waits for the end of a thread of the set cannot move before the set does, and need not join it.
 *
 * What a thread may do next: the operation at which it is; and, if steps are composed, what the lock discipline
 * (check/lockset.h) allows it behind that, within its bound. Of the thread that the execution has chosen, it is known
 * exactly. */
#ifndef HD_DPOR_PERSISTENT_H
#define HD_DPOR_PERSISTENT_H

#include "abi/settings.h"
#include "event/plan.h"
#include "event/thread_set.h"
#include "explore/allowed.h"

typedef struct hd_persistent hd_persistent;

/* `composed`: the steps of threads include invisible operations that depend on other steps, and these are the settings
 * of the discipline; NULL: they do not. */
hd_persistent *hd_persistent_open(hd_allowed *allowed, const hd_settings *composed, hd_memory *memory);
void hd_persistent_close(hd_persistent *p);

/* The next states are those of this execution. */
void hd_persistent_begin(hd_persistent *p, const hd_execution *e);

/* The set of the state before step number `step`, with the thread of that step. `next`: what this thread does there, as
 * far as other steps may depend on it. States must be given in order. False: the set is all threads. */
bool hd_persistent_find(hd_persistent *p, uint32_t step, const hd_sleeper *next, hd_thread_set *set);

#endif
