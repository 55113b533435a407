/* What goes wrong below C: fatal signals, runaway stacks, loops that never
 * come to an operation. Each ends the execution, not the worker. */
#ifndef HD_RUNTIME_CRASH_H
#define HD_RUNTIME_CRASH_H

void hd_crash_init(void);

/* Watches for loops without operations. A forked child has to ask for it again. */
void hd_crash_watch(void);

#endif
