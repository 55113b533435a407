/* Which statements and branches a run executes, for suites: in the order in which the threads reach them, each once
 * between two operations. */
#ifndef HD_RUNTIME_SCHED_COVER_H
#define HD_RUNTIME_SCHED_COVER_H

/* Before a run: forgets what the last one covered. */
void hd_cover_start(void);

#endif
