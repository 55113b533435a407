/* A process that has never run the program.
 *
 * It is forked off when the worker starts, before the first execution, and then
 * does nothing but fork again, on request: each child runs one plan and ends.
 * So every child begins with the memory that the program's process had before
 * main, whatever earlier executions, and the engine in the worker, have done to
 * theirs. What children have in common with each other is only
 *   - the engine's memory and the run area, which are mapped shared: the plan
 *     comes to the child there, and what it did goes back;
 *   - the offsets and status flags of descriptors that were open before main:
 *     they are put back before each fork;
 *   - what is outside of processes: files, System V objects, the clock.
 * They keep the worker's line to its supervisor open: that knows by its end that
 * none of them is left who could write to what is shared.
 * Working directory, umask, limits, signal handlers, timers, mappings and open
 * files of a child end with it. */
#ifndef HD_TARGET_FRESH_H
#define HD_TARGET_FRESH_H

#include <stdbool.h>

typedef struct hd_fresh {
    int line; /* to that process */
    bool open;
    double seconds; /* of processor time that the last run took, with the fork */
} hd_fresh;

/* Forks it off. Only before the program has run in this process. `run` runs it once. */
void hd_fresh_open(hd_fresh *f, void (*run)(void *context), void *context);

/* Calls `run` in a child of it; gives the child's wait status. False: that process was killed. */
bool hd_fresh_run(hd_fresh *f, int *status);

#endif
