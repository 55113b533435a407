/* Faults: fatal signals, stack overflow, loops that never reach an operation. Each ends the execution, not the
 * worker. */
#ifndef HD_RUNTIME_CRASH_H
#define HD_RUNTIME_CRASH_H

void hd_crash_init(void);

/* Starts the watchdog for loops without operations. Timers are not inherited: a forked child calls it again. */
void hd_crash_watch(void);

/* The watchdog counts from here: executions that spend their time at the same operation are not one endless loop. */
void hd_crash_new_run(void);

#endif
