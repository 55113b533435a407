/* Streams and file descriptors of the tested program.
 *
 * Standard output and standard error are the console: output there is shown if the
 * run options say so, and discarded otherwise; it is neither an operation nor an
 * effect. Standard input is the same in every execution (runtime/reset/stdin.h).
 *
 * Files that an execution has opened are closed after it (runtime/reset/kernel.h);
 * its changes of files stay in memory (runtime/reset/overlay.h). Another change of
 * something outside of the process needs fork isolation: it ends the execution as
 * HD_NEEDS_FORK.
 * Uses of one stream or descriptor by several threads are operations on it.
 */
#ifndef HD_RUNTIME_LIBC_FILES_H
#define HD_RUNTIME_LIBC_FILES_H

#include "abi/site.h"
#include "runtime/libc/libc.h"

#include <stdio.h>

int hd_is_console(FILE *stream);
int hd_is_console_fd(int fd);
int hd_shows_output(void);

/* The call is about to use the stream or descriptor; both functions return their argument. */
FILE *hd_use_stream(FILE *stream, const hd_site *site);
int hd_use_fd(int fd, const hd_site *site);

#endif
