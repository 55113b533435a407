/* A crew: several workers on one check (docs/algorithms/jobs.md).
 *
 * Each worker has a region and a session of its own, as if it were alone, and a supervisor that replaces it if it dies.
 * The region of the first worker also has what they share: the findings, which are so the same for all, and the crew's
 * own data. Everybody maps both at the same addresses.
 *
 * The workers share a tree of pieces (dpor/pieces.h). The first begins alone; the others start when it lets them, with
 * what it has learned about the program.
 *
 * Invariant: all workers know the same facts about the program (shared cells, numbers of threads): otherwise steps of
 * one would mean something else to another. When one learns a fact, or dies in the middle of a change of what is
 * shared, all stop, and the supervisor starts the crew over, with that worker's facts. Nothing that was counted before
 * then counts. */
#ifndef HD_WORKER_CREW_H
#define HD_WORKER_CREW_H

#include "base/lock.h"
#include "dpor/pieces.h"
#include "worker/checkpoint.h"
#include "worker/session.h"

/* After the memory that a run writes, in the same file. */
#define HD_CREW_BASE (HD_ENGINE_BASE + 0xc000000000ull)
#define HD_CREW_SIZE 0x1000000000ull

typedef struct hd_crew {
    volatile bool over; /* all stop */
    volatile bool again; /* … because one has learned a fact: the crew starts over */
    volatile bool broken; /* … because one died and what is shared cannot be trusted: the same */
    volatile bool together; /* the first has let the others in */
    volatile uint64_t executions; /* of all, once they are together */
    hd_learned_facts facts; /* with which they are together, or start over */
    bool forked, real_files; /* and what processes executions get */
    hd_lock findings;
    hd_pieces pieces; /* its lock is also that of the facts and of the region */
    hd_region region; /* for the pieces and the facts */
} hd_crew;

static inline hd_crew *hd_crew_here(void)
{
    return (hd_crew *)HD_CREW_BASE;
}

/* Maps the crew's data; `findings`: also the findings of the first worker instead of one's own. */
bool hd_crew_map(int fd, bool findings, hd_error *error);

/* Initialises the crew's data. `every`: hd_pieces.every. */
void hd_crew_init(uint32_t every);

/* A worker has died while it changed what it shares, or its own data: the crew starts over. */
void hd_crew_break(void);

/* --- in a worker ----------------------------------------------------------------------------- */

/* Is the session one of a crew? */
static inline bool hd_crew_has(const hd_session *s)
{
    return s->crew_fd != 0;
}

/* Waits until the first worker lets this one in, and learns the facts. False: the crew is over. */
bool hd_crew_enter(hd_session *s);

/* Between two executions; false: the worker stops. */
bool hd_crew_goes_on(hd_session *s);

/* The worker stops for good, and so do all: it has found a failure, or a bound is met. */
void hd_crew_stop(void);

/* The search must start over. */
void hd_crew_start_over(hd_session *s);

/* Corrects how the search of a worker has ended: it may have stopped because all did. */
void hd_crew_note_end(hd_session *s);

void hd_crew_lock_findings(const hd_session *s);
void hd_crew_unlock_findings(const hd_session *s);

#endif
