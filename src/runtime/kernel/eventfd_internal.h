/* The state of event descriptors, for eventfd.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_EVENTFD_INTERNAL_H
#define HD_RUNTIME_KERNEL_EVENTFD_INTERNAL_H

#include "runtime/kernel/eventfd.h"
#include "runtime/kernel/gate.h"

typedef struct hd_eventfd_state {
    uint64_t value;
    uint8_t is_semaphore;
} hd_eventfd_state;

extern hd_eventfd_state hd_eventfd_states[HD_EVENTFDS];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_eventfd_data[HD_EVENTFDS], hd_eventfd_room[HD_EVENTFDS];

#endif
