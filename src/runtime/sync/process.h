/* The tested program as a process: its arguments, its main, the handlers of exit, its end.
 *
 * In a system of several processes (abi/system.h) each is a group of threads. The first thread of the first process
 * creates those of the others before it begins; so all of them begin at once. A process that ends is no operation:
 * nothing of another process depends on it. The execution ends with the last process, or with the
 * main one if there is one: that is an operation like the exit of a process with several threads. */
#ifndef HD_RUNTIME_SYNC_PROCESS_H
#define HD_RUNTIME_SYNC_PROCESS_H

#include "runtime/core/end.h"

void hd_process_init(int argc, char **argv);
void hd_process_reset(void);

/* The number of processes. */
uint32_t hd_process_count(void);

/* Runs constructors and the program's main on the first thread, then ends the process. */
_Noreturn void hd_process_main(void);

/* exit(status), called at hd_call_site: runs the handlers, then ends the execution. The end is an operation, so other
 * threads may run before it. `shadow` is the expression of the status. */
_Noreturn void hd_process_exit(int status, uint32_t shadow);

/* The same with the handlers of quick_exit; without any: hd_process_exit_at_once. */
_Noreturn void hd_process_exit_quickly(int status, uint32_t shadow);

int hd_process_at_exit(void (*handler)(void));
int hd_process_on_exit(void (*handler)(int status, void *argument), void *argument);
int hd_process_at_quick_exit(void (*handler)(void));

#endif
