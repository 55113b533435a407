/* Which slot a new thread gets, and who it is.
 *
 * The slot must depend on the causal past of the creation alone, so that a thread has the same slot in every execution
 * that agrees on this past. A slot is found in one of two ways:
 *
 *   fresh    by its birth: the creator's slot, and the number of fresh slots that the creator's slot had got before.
 *            hd_facts.births keeps the slot of each birth from run to run.
 *   reused   a slot whose last thread the creator has joined, the last joined one first. The list of these slots
 * belongs to the creator's slot: if that slot is reused in turn, its next life inherits it.
 *
 * The first HD_FRESH_CHILDREN threads that a slot creates get fresh slots: unfold tests the histories of threads in
 * different slots separately, and those of a slot in every combination.
 *
 * Invariant: the end of a life happens before the start of the next, because the creator has joined it.
 *
 * Not reused are slots of detached threads (their end is ordered before nothing), of thread 0, and of threads that
 * ended while they held a read lock (the lock counts them). */
#ifndef HD_RUNTIME_SCHED_LIVES_H
#define HD_RUNTIME_SCHED_LIVES_H

#include "runtime/core/state.h"

enum { HD_FRESH_CHILDREN = 16 };

/* The slot of the current thread's next child; HD_MAX_THREADS: there is none. */
uint32_t hd_lives_next_slot(void);

/* The joiner has joined `t`, and may reuse its slot. */
void hd_lives_joined(hd_thread *joiner, hd_thread *t);

/* Prepares the slot for a thread: its first one in this run, or the next. */
void hd_lives_begin(uint32_t slot);

#endif
