/* exec: a process begins to run another program.
 *
 * The program is part of the image (abi/system.h): its variables are there once, and every process that runs it has a
 * version of them (reset/images.h). The process keeps its number, descriptors, ignored signals and mask. It loses what
 * the old program had: memory, handlers of signals and of exit, thread-specific values, descriptors that close on exec.
 * It no longer shares addresses with its parent, so switching between the two exchanges nothing.
 *
 * A program that heddle cc has linked, and that is not part of the image yet, ends the execution; its path is left for
 * the supervisor, which links it in and starts over. A program that heddle did not compile is a model limit.
 *
 * exec is no operation: others see only what it closes, and the signals that no longer have handlers. */
#ifndef HD_RUNTIME_SYNC_EXEC_H
#define HD_RUNTIME_SYNC_EXEC_H

#include "abi/site.h"

#include <stdint.h>

/* The program that the path leads to: its number, or minus an error number. `name` is the caller's, for messages. */
int hd_exec_find(const char *path, const char *name, const hd_site *site);

/* The current process becomes the program. The caller has announced reads of the strings. Returns minus an error number
 * if they are too long. */
int hd_exec_become(uint32_t program, char *const *arguments, char *const *environment, const hd_site *site);

#endif
