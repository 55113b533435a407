/* Pipes.
 *
 * A pipe is a ring of 16 pages, as in Linux. A write that fits into the last page is appended to it, otherwise it takes
 * new pages; so writes of up to a page (PIPE_BUF) are never divided, and the capacity in bytes depends on the sizes of
 * the writes. A longer write that finds too little room is divided: each part is a step of its own. A read takes what
 * there is, and never waits for more.
 *
 * The gates (kernel/gate.h): there is data if a page is used or no descriptor for writing is left, room if a page is
 * free, or the last one has free bytes, or no descriptor for reading is left. The only call that passes the gate of
 * room and then finds too little is a short write to a pipe whose last page has less room than it needs: a model limit
 * if it would have to wait.
 *
 * Each byte is a unit (abi/wire.h, hd_stretch). A pipe with up to HD_SURE_UNITS bytes has at most two pages
 * in use: two pages in a row hold more than one page of data, unless the first of them is the first of the pipe.
 *
 * The contents are bytes of the runtime, which the next execution finds empty. Bytes lose their expressions over
 * inputs: those are followed (symbolic/lines.h), so the verdict says so. */
#ifndef HD_RUNTIME_KERNEL_PIPE_H
#define HD_RUNTIME_KERNEL_PIPE_H

#include <stdint.h>

struct hd_description;

enum { HD_PIPES = 512, HD_PIPE_PAGES = 16 };

/* Before a run: there is none. */
void hd_pipes_reset(void);

/* At the end of the execution: what is in pipes is lost (kernel/unreceived.h). */
void hd_pipes_check_unreceived(void);

/* Makes a pipe, and the descriptions of its ends with these flags: for reading and for writing. */
void hd_pipe_make(int flags, struct hd_description *ends[2]);

/* Its gates are as its contents and ends say, no page is used twice, no page but the last is empty, and the units
 * of its data that are not fetched are its bytes (abi/valid.h).
 */
int hd_pipe_is_valid(uint32_t number);

#endif
