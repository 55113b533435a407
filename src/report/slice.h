/* The steps of an execution that matter to its finding.
 *
 * The finding depends on its last steps (the accesses of a race, the last steps of the threads that failed or are
 * stuck) and on everything that happens before them: the *past*. In the past, a thread's own steps follow from its
 * program; what has to be said is how the threads met. So the slice consists of the last steps themselves, of steps
 * with several possible outcomes, and of both ends of every order between two threads that follows neither from other
 * orders nor from the program, as the creation and joining of threads do: a lock that passes from one thread to
 * another, a value that one writes and another reads or overwrites, a signal and the wait that it ends.
 *
 * If a lock passes from one thread to another, and with it data that the threads of the finding use, the accesses to
 * the data stand for the lock: their order implies that of the critical sections. If that makes the slice longer, the
 * locks are shown.
 *
 * An execution with these steps in this order ends in the same way, whenever the other steps happen: tests/slice runs
 * such executions. */
#ifndef HD_REPORT_SLICE_H
#define HD_REPORT_SLICE_H

#include "report/result.h"

/* Sets hd_report_access.matters, and the orders, which are in `kept`. */
void hd_report_slice(hd_report_finding *f, hd_arena *kept);

#endif
