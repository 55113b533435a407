/* The state of event descriptors, for eventfd.c and for the test that breaks it. */
#ifndef HD_RUNTIME_SYNC_EVENTFD_INTERNAL_H
#define HD_RUNTIME_SYNC_EVENTFD_INTERNAL_H

#include "runtime/sync/eventfd.h"

enum { HD_EVENTFDS = 256, HD_EVENTFD_LIVES = 16 };

/* By descriptor. Its object in operations is the byte of its current life. */
typedef struct hd_eventfd_state {
    uint64_t value;
    uint8_t is_open, is_semaphore, life;
    uint8_t objects[HD_EVENTFD_LIVES];
} hd_eventfd_state;

extern hd_eventfd_state hd_eventfd_states[HD_EVENTFDS];

#endif
