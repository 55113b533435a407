/* Streams and file descriptors of the tested program.
 *
 * Standard output and standard error are the console: what is printed there is
 * shown when the run options say so and dropped otherwise; no operation, no
 * effect. Standard input must be a regular file while exploring: every run
 * reads it from its start, through a stream of its own.
 *
 * Opening a file to read it is allowed; what a run has opened is closed before
 * the next. Whatever changes something outside of memory needs fork isolation,
 * and says so by ending the run as HD_NEEDS_FORK. Uses of the same stream or
 * descriptor by several threads are operations on it.
 */
#ifndef HD_RUNTIME_LIBC_FILES_H
#define HD_RUNTIME_LIBC_FILES_H

#include "abi/site.h"
#include "runtime/libc/libc.h"

#include <stdio.h>

int hd_is_console(FILE *stream);
int hd_is_console_fd(int fd);
int hd_shows_output(void);

/* The stream or descriptor to use for `stream`, which the call is about to
 * use: itself, or this run's own standard input. */
FILE *hd_use_stream(FILE *stream, const hd_site *site);
int hd_use_fd(int fd, const hd_site *site);

/* Remembers what was opened; both give it back. */
FILE *hd_opened_stream(FILE *stream);
int hd_opened_fd(int fd);
void hd_closed_stream(const FILE *stream);
void hd_closed_fd(int fd);

#endif
