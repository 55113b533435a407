/* Streams and file descriptors of the tested program.
 *
 * Standard output and standard error are the console: what is printed there is
 * shown when the run options say so and dropped otherwise; no operation, no
 * effect. Standard input is the same in every execution (runtime/reset/stdin.h).
 *
 * Opening a file to read it is allowed; what an execution has opened is closed
 * after it (runtime/reset/kernel.h). Whatever changes something outside of the process
 * needs fork isolation, and says so by ending the execution as HD_NEEDS_FORK.
 * Uses of the same stream or descriptor by several threads are operations on it.
 */
#ifndef HD_RUNTIME_LIBC_FILES_H
#define HD_RUNTIME_LIBC_FILES_H

#include "abi/site.h"
#include "runtime/libc/libc.h"

#include <stdio.h>

int hd_is_console(FILE *stream);
int hd_is_console_fd(int fd);
int hd_shows_output(void);

/* The call is about to use it; both give it back. */
FILE *hd_use_stream(FILE *stream, const hd_site *site);
int hd_use_fd(int fd, const hd_site *site);

#endif
