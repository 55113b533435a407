/* The state of message queues, for message_queue.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_MESSAGE_QUEUE_INTERNAL_H
#define HD_RUNTIME_KERNEL_MESSAGE_QUEUE_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/instances.h"
#include "runtime/kernel/message_queue.h"
#include "runtime/kernel/queue.h"

typedef struct hd_message_queue {
    hd_queue queue;
    uint32_t messages, bytes; /* the most that it may have, and the most that one may have */
    uint32_t priority; /* of the last message that was sent */
    uint8_t has_sent, is_ranked; /* messages have been sent; of different priorities */
} hd_message_queue;

extern hd_message_queue hd_message_queues[HD_INSTANCES];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_message_data[HD_INSTANCES], hd_message_room[HD_INSTANCES];

#endif
