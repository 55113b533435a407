/* How closely the program's accesses are watched, which depends on the number of threads.
 *
 * hd_fast_state tells the hooks. `waits`: several threads exist, so operations are scheduled. `several`:
 * accesses to shared memory are operations; with the option `alone` that stays so when one thread is left.
 * `watched`: which version of the program's functions runs (compile/passes/versions.c): ALL with several
 * threads; BOUNDS, which only checks accesses, with one; NOTHING while the start of the program, with one
 * thread, does what it did in an earlier execution that checked it.
 */
#ifndef HD_RUNTIME_SCHED_WATCH_H
#define HD_RUNTIME_SCHED_WATCH_H

void hd_watch_new_run(void);
void hd_watch_run_ended(void);

/* From here on the program may do something else than in earlier executions, although it has one thread:
 * accesses are checked again. */
void hd_watch_start_differs(void);

/* A thread was created (1) or joined (-1). Everything that the others did happens before what the last
 * thread does once it is alone. */
void hd_watch_count_threads(int change);

#endif
