/* The state of event descriptors, for eventfd.c and for the test that breaks it. */
#ifndef HD_RUNTIME_SYNC_EVENTFD_INTERNAL_H
#define HD_RUNTIME_SYNC_EVENTFD_INTERNAL_H

#include "runtime/sync/eventfd.h"

enum { HD_EVENTFDS = 256, HD_EVENTFD_LIVES = 16 };

typedef struct hd_eventfd_state {
    uint64_t value;
    uint8_t is_open, is_semaphore, life;
} hd_eventfd_state;

/* By descriptor. Its object in operations is the byte of its current life (abi/shown.def). */
extern hd_eventfd_state hd_eventfd_states[HD_EVENTFDS];
extern uint8_t hd_eventfd_objects[HD_EVENTFDS][HD_EVENTFD_LIVES];

#endif
