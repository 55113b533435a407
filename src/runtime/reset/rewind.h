/* The memory of the process, restored after every execution.
 *
 * All writable memory is restored except for heddle's own: the variables of the
 * engine and of the runtime, the fixed zones of abi/wire.h, and the stack that the
 * engine runs on. (The heap and the stacks of threads are zones, too; heap.c and
 * fiber.c reset them.) So variables of the program and of every library, the C
 * library's heap, thread-locals, arguments and environment are restored, wherever
 * they are mapped.
 *
 * Small variables of the program and the thread-locals are *spans*, copied back
 * every time. The rest is *watched*: write-protected until the first write
 * faults. Then the page is saved and becomes writable and *hot*: it is copied back
 * every time, too. So a page that no execution writes to costs nothing, and a hot
 * page costs 4 KB of copying. When many pages are hot, all are watched again now
 * and then, since some may have been written to only once.
 *
 * Invariant: during an execution every page that may differ from its saved copy is
 * hot or part of a span.
 *
 * In a system of several processes, what libraries keep in variables and in the C library's heap belongs to a process
 * (the next word of getopt, buffered output, the environment). Their hot pages are exchanged when a thread of another
 * process continues. The program's own variables need no exchange: each process has its own copy of the program.
 *
 * System calls that write to watched pages do not fault, they fail:
 * runtime/reset/kernel.c opens the pages that a call may write to.
 */
#ifndef HD_RUNTIME_RESET_REWIND_H
#define HD_RUNTIME_RESET_REWIND_H

#include <stddef.h>
#include <stdint.h>

/* Stack frames below `limit`, the start of a page, belong to the engine; above it are the arguments and the
 * environment of the process. Called once, by main. */
void hd_rewind_stack(const void *limit);

/* Saves the spans and begins to watch memory and system calls, if this process may run further executions. Only the
 * first call has an effect. Returns 0 if the kernel cannot dispatch system calls. */
int hd_rewind_start(void);

/* Restores everything, including the kernel's state of the process. */
void hd_rewind_back(void);

/* This process runs a single execution: nothing has to be restored. `several`: of a system of several processes. */
void hd_rewind_never(int several);

/* Is the memory at the address exchanged between processes? */
int hd_rewind_is_apart(uint64_t address);

/* A thread of process `to` continues after one of process `from`. */
void hd_rewind_switch(uint32_t from, uint32_t to);

/* Process `to` is made, with a copy of the memory of the current one. */
void hd_rewind_copy(uint32_t to);

/* The current process begins to run another program: what libraries keep for it is as at the start. */
void hd_rewind_afresh(void);

/* Is the memory watched, because this process may run further executions? */
int hd_rewind_is_watching(void);

/* A write to `address` faulted. If the page was watched, makes it hot and returns 1. */
int hd_rewind_fault(uint64_t address);

/* Makes all watched pages of a range hot. */
void hd_rewind_open(uint64_t address, uint64_t bytes);

/* Ends the process: memory cannot be watched. */
_Noreturn void hd_rewind_fail(const char *why);

#endif
