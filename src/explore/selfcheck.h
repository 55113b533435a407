/* heddle checks itself: some executions are run twice, the second time in a
 * process that has not run the program before, and compared operation by
 * operation, values included.
 *
 * What an execution does must depend on its plan alone. Undoing an execution in
 * memory puts back what heddle knows of; a fresh process has nothing to put
 * back. A difference between the two means that something has survived an
 * earlier execution, or that the program is not deterministic: what was explored
 * proves nothing. In fork isolation both processes are fresh, and a difference
 * is the program's own.
 *
 * Compared are the first execution of a search, then one at each doubling of
 * their number, and the last. Each takes a fork and a run. Where all of them
 * together would take more than 20 ms and more than a fiftieth of the time, one is
 * put off until they do not; the last is left out if one alone takes that
 * long. The fresh process comes first: the explorer learns from the other. */
#ifndef HD_EXPLORE_SELFCHECK_H
#define HD_EXPLORE_SELFCHECK_H

#include "target/target.h"

typedef struct hd_selfcheck {
    uint64_t next; /* the number of the next execution to compare */
    double started; /* when */
    double spent; /* seconds of processor time in all fresh processes */
    double last; /* of them: in the last one */

    /* What the fresh process did. */
    hd_vec(hd_op) log;
    hd_vec(uint64_t) operands;
    hd_vec(hd_thread_view) threads;
    hd_vec(hd_input) inputs;
    hd_outcome outcome;
} hd_selfcheck;

void hd_selfcheck_init(hd_selfcheck *c, hd_memory *memory);
void hd_selfcheck_fini(hd_selfcheck *c);

/* A search starts, or starts over. */
void hd_selfcheck_start(hd_selfcheck *c);

/* Is execution `number`, from 1 on, one to compare? */
bool hd_selfcheck_is_due(hd_selfcheck *c, uint64_t number);

/* Is there time to compare the last one? */
bool hd_selfcheck_can_end(const hd_selfcheck *c);

/* Runs the plan in a fresh process and keeps what it did; the execution to compare
 * with that is the target's next, with `values` on. If it learned something,
 * there is nothing to compare. */
hd_execution hd_selfcheck_expect(hd_selfcheck *c, hd_target *target, const hd_plan *plan);

/* What the fresh process did, as an execution; what is not kept is as in `e`. */
hd_execution hd_selfcheck_kept(const hd_selfcheck *c, const hd_execution *e);

/* Did the execution do the same? If not, `text` says where it differs first. */
bool hd_selfcheck_holds(const hd_selfcheck *c, const hd_execution *e, char *text, size_t size);

#endif
