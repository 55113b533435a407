/* The state of System V queues, for sysv_queue.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_SYSV_QUEUE_INTERNAL_H
#define HD_RUNTIME_KERNEL_SYSV_QUEUE_INTERNAL_H

#include "runtime/kernel/gate.h"
#include "runtime/kernel/instances.h"
#include "runtime/kernel/queue.h"
#include "runtime/kernel/sysv_queue.h"

typedef struct hd_sysv_queue {
    hd_queue queue;
    int key, mode;
    uint8_t removed;
} hd_sysv_queue;

extern hd_sysv_queue hd_sysv_queues[HD_INSTANCES];

/* Objects of operations (abi/shown.def). */
extern hd_gate hd_sysv_data[HD_INSTANCES], hd_sysv_room[HD_INSTANCES];

#endif
