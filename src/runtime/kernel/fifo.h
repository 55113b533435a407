/* FIFOs: pipes that have a name.
 *
 * A file that is a FIFO, in the overlay or on the disk, leads to a pipe of kernel/pipe.h as soon as it is opened. All
 * opens of one file share the pipe, and what is in it is lost when the last descriptor is closed.
 *
 * Opening. A call *arrives*: it counts as a reader or a writer from then on. If there is no one at the other end, and
 * the call may wait, it waits until one arrives, also if that one has left again. So each thread that waits has a gate
 * of its own (kernel/gate.h), which the next arrival at the other end opens. A writer that may not wait fails with
 * ENXIO if there is no reader. A call for reading and writing never waits.
 *
 * Conflicts. Arrivals at one FIFO and closes of it have an order, in an object that is found by a hash of the file;
 * that two files share it adds conflicts, and misses none. Each thread numbers the FIFOs that it is the first to open
 * (kernel/instances.h). The number of the new descriptor is taken when the call ends; in Linux, when it begins. */
#ifndef HD_RUNTIME_KERNEL_FIFO_H
#define HD_RUNTIME_KERNEL_FIFO_H

#include "abi/site.h"

#include <stdint.h>

struct hd_description;
struct stat;

enum { HD_FIFO_OBJECTS = 256 };

/* Before a run: none is open. */
void hd_fifos_reset(void);

/* open(2) of the FIFO. Returns the descriptor or minus an error number. */
int hd_fifo_open(const struct stat *at, int flags, const hd_site *site);

/* The process of the thread has ended: a call of open that waits has never come. */
struct hd_thread;
void hd_fifo_end_call(const struct hd_thread *t, const hd_site *site);

/* What fstat tells of the file, if the description is of a FIFO. */
void hd_fifo_status(const struct hd_description *d, struct stat *to);

#endif
