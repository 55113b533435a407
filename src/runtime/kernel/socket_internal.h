/* The state of sockets, for socket.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_SOCKET_INTERNAL_H
#define HD_RUNTIME_KERNEL_SOCKET_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/queue.h"
#include "runtime/kernel/socket.h"

typedef struct hd_socket_state {
    hd_queue queue;
    uint16_t peer;
    uint8_t type, shut; /* RECEIVES_NO_MORE, SENDS_NO_MORE */
    uint8_t closed;
    uint8_t alone; /* of a datagram socket: it knows that its peer is closed */
    int error; /* for the next call that asks; it receives no more if it has one */
} hd_socket_state;

extern hd_socket_state hd_socket_states[HD_SOCKETS];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_socket_data[HD_SOCKETS], hd_socket_room[HD_SOCKETS];

#endif
