/* The state of pipes, for pipe.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_PIPE_INTERNAL_H
#define HD_RUNTIME_KERNEL_PIPE_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/pipe.h"

typedef struct hd_pipe_page {
    uint16_t number, start, end; /* the bytes from start to end are there */
} hd_pipe_page;

typedef struct hd_pipe_state {
    hd_pipe_page pages[HD_PIPE_PAGES]; /* a ring */
    uint8_t first, count; /* of the pages in use */
    uint8_t readers, writers; /* descriptions: 0 or 1 */
} hd_pipe_state;

extern hd_pipe_state hd_pipe_states[HD_PIPES];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_pipe_data[HD_PIPES], hd_pipe_room[HD_PIPES];

#endif
