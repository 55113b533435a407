/* The state of epolls, for epoll.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_EPOLL_INTERNAL_H
#define HD_RUNTIME_KERNEL_EPOLL_INTERNAL_H

#include "runtime/kernel/epoll.h"
#include "runtime/kernel/gate.h"

typedef struct hd_epoll_item {
    struct hd_description *file; /* NULL: it has been removed */
    uint64_t data;
    uint32_t events; /* EPOLL… */
    int fd;
    uint16_t epoll;
    uint16_t next; /* in the ready list: an item + 1; 0: none */
    uint8_t is_listed;
} hd_epoll_item;

/* The ready list: items + 1; 0: none. */
typedef struct hd_epoll_state {
    uint16_t first, last;
} hd_epoll_state;

/* Items are never used a second time in one execution. */
extern hd_epoll_item hd_epoll_items[HD_EPOLL_ITEMS];
extern hd_epoll_state hd_epoll_states[HD_EPOLLS];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_epoll_data[HD_EPOLLS];

#endif
