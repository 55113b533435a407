/* The tested program as a process: its arguments, its main, the handlers of exit, its end.
 *
 * In a system of several processes (abi/system.h) each is a group of threads. The first thread of the first process
 * creates those of the others before it begins; so all of them begin at once. The execution ends with the last process,
 * or with the main one if there is one: that is an operation like the exit of a single process with several threads.
 *
 * The end of any other process is an operation if the process is *mortal*: it ends before some of its threads. Each
 * step of its threads then looks at the end of the process, and the end changes that; so explorers find every order of
 * the two. After it, the threads perform nothing. What another process sees of the end are the descriptors, which are
 * closed one after the other, and robust mutexes. A process that may crash (--crash) is mortal, too, and so is one that
 * forks beside threads: the copy comes before or after each of their steps. */
#ifndef HD_RUNTIME_SYNC_PROCESS_H
#define HD_RUNTIME_SYNC_PROCESS_H

#include "runtime/core/end.h"

#include <stddef.h>

void hd_process_init(int argc, char **argv);
void hd_process_reset(void);

/* Each step of a thread of the current process is about the whole process from now on. */
void hd_process_becomes_mortal(void);

/* The number of processes. */
uint32_t hd_process_count(void);

/* Was there a process with this number in this run? */
int hd_process_was_made(uint32_t process);

/* Has it ended by a signal or a crash? */
int hd_process_was_killed(uint32_t process);

/* Calls `visit` for each range of variables of the process's program. */
void hd_process_variables(uint32_t process, void (*visit)(char *start, size_t size));

/* Programs for exec: are there any? The number of the one with this path; -1: none has it. */
int hd_process_has_programs(void);
int hd_process_program(const char *path);

/* Has the process become another program since it was made? */
int hd_process_has_changed(uint32_t process);

/* The current process becomes the program, without handlers of exit; and runs it. */
void hd_process_set_program(uint32_t program);
_Noreturn void hd_process_run_program(int argc, char **argv, char **envp);

/* Process `to` is made: a copy of the current one. */
void hd_process_copy(uint32_t to);

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
