/* A process that has never run the program.
 *
 * It is forked off the worker before the first execution. From then on it only forks, on request:
 * each child runs one plan and exits. So every child begins with the memory that the program's
 * process had before main, independent of what earlier executions, or the engine in the worker, did
 * to theirs. Children share only
 *   - the engine's memory and the run area, which are mapped shared: the plan reaches the child
 *     there, and the execution comes back;
 *   - offsets and status flags of descriptors that were open before main: they are restored before
 *     each fork;
 *   - what is outside of processes: files, System V objects, the clock.
 * A child's working directory, umask, limits, signal handlers, timers, mappings and open files end
 * with it. All these processes keep the worker's pipe to its supervisor open, so the supervisor
 * sees its end only when no process is left that could write to shared memory. */
#ifndef HD_TARGET_FRESH_H
#define HD_TARGET_FRESH_H

#include <stdbool.h>

typedef struct hd_fresh {
    int line; /* the socket to the process */
    bool open;
    double seconds; /* processor time of the last run, including the fork */
} hd_fresh;

/* Forks the process off; only before the program has run in this process. `run` runs the program once. */
void hd_fresh_open(hd_fresh *f, void (*run)(void *context), void *context);

/* Calls `run` in a new child; *status is the child's wait status. False: the process was killed. */
bool hd_fresh_run(hd_fresh *f, int *status);

#endif
