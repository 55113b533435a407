/* The state of pipes, for pipe.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_PIPE_INTERNAL_H
#define HD_RUNTIME_KERNEL_PIPE_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/instances.h"
#include "runtime/kernel/pipe.h"

#include <stddef.h>
#include <sys/types.h>

typedef struct hd_pipe_page {
    uint16_t number, start, end; /* the bytes from start to end are there */
} hd_pipe_page;

typedef struct hd_pipe_state {
    hd_pipe_page pages[HD_PIPE_PAGES]; /* a ring */
    uint8_t first, count; /* of the pages in use */
    uint16_t readers, writers; /* descriptions; of a pipe without a name 0 or 1 */
    const struct hd_site *written_at; /* the last write */
} hd_pipe_state;

/* Those of FIFOs come behind the others, by their instances (kernel/fifo.h). */
enum { HD_ALL_PIPES = HD_PIPES + HD_INSTANCES };
extern hd_pipe_state hd_pipe_states[HD_ALL_PIPES];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_pipe_data[HD_ALL_PIPES], hd_pipe_room[HD_ALL_PIPES];

/* What calls on a FIFO do. */
struct hd_description;
ssize_t hd_pipe_receive(struct hd_description *d, void *to, size_t size, int flags);
ssize_t hd_pipe_send(struct hd_description *d, const void *from, size_t size, int flags);
ssize_t hd_pipe_cannot_receive(struct hd_description *d, void *to, size_t size, int flags);
ssize_t hd_pipe_cannot_send(struct hd_description *d, const void *from, size_t size, int flags);
long hd_pipe_available(struct hd_description *d);
hd_gate *hd_pipe_data_of(struct hd_description *d);
hd_gate *hd_pipe_room_of(struct hd_description *d);
short hd_pipe_events_of_reader(struct hd_description *d);
short hd_pipe_events_of_writer(struct hd_description *d);

/* Parts of steps: one more reader or writer, or one less. Without any, the pipe is empty. */
void hd_pipe_enter(uint32_t number, int reads, int writes);
void hd_pipe_leave(uint32_t number, int reads, int writes);

/* Before a run: the state of this FIFO. */
void hd_pipe_clear(uint32_t number);

#endif
