/* The memory of the process, put back after every execution.
 *
 * All writable memory is rewound but heddle's own: the engine's and the
 * runtime's variables, the fixed zones of abi/wire.h, and the stack that the
 * engine runs on. (The heap and stacks of threads are zones, too; heap.c and
 * fiber.c see to them.) That is: variables of the program and of every library,
 * the C library's heap, thread-locals, arguments and environment, wherever
 * they are mapped.
 *
 * Small variables of the program and the thread-locals are *spans*, copied back
 * every time. The rest is *watched*: write-protected, until the first write
 * faults; then the page is copied, writable, and *hot*: copied back every
 * time, too. So pages that no execution writes to cost nothing, and a hot one
 * 4 KB of copying. When many are hot they are watched again now and then, as
 * some may have been written to once only.
 *
 * The kernel does not fault at watched pages, its calls fail: runtime/reset/kernel.c
 * opens those that a call may write to.
 */
#ifndef HD_RUNTIME_RESET_REWIND_H
#define HD_RUNTIME_RESET_REWIND_H

#include <stddef.h>
#include <stdint.h>

/* Frames below `limit`, a page's start, are those of the engine; above it is
 * what the process was started with. Called once, by main. */
void hd_rewind_stack(const void *limit);

/* Takes the copies and begins to watch memory and system calls, if this
 * process may have further executions; the first call counts. Gives 0 if the
 * kernel cannot dispatch system calls. */
int hd_rewind_start(void);

/* Puts everything back, the kernel's side included. */
void hd_rewind_back(void);

/* This process runs one execution alone: nothing has to be put back. */
void hd_rewind_never(void);

/* Will this process have further executions, and is its memory watched? */
int hd_rewind_is_watching(void);

/* A write to `address` faulted: was the page watched? It is hot now. */
int hd_rewind_fault(uint64_t address);

/* The same for all watched pages of a range. */
void hd_rewind_open(uint64_t address, uint64_t bytes);

/* Ends the process: memory cannot be watched. */
_Noreturn void hd_rewind_fail(const char *why);

#endif
