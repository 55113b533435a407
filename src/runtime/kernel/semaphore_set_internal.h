/* The state of sets of semaphores, for semaphore_set.c and for the test that breaks it. */
#ifndef HD_RUNTIME_KERNEL_SEMAPHORE_SET_INTERNAL_H
#define HD_RUNTIME_KERNEL_SEMAPHORE_SET_INTERNAL_H

#include "runtime/kernel/instances.h"
#include "runtime/kernel/semaphore_set.h"
#include "runtime/sync/semaphore.h"

typedef struct hd_semaphore_set {
    int key, mode;
    uint32_t count;
    int64_t changed; /* when an operation last changed a value, in seconds; 0: never */
    uint8_t removed;
} hd_semaphore_set;

extern hd_semaphore_set hd_semaphore_sets[HD_INSTANCES];

/* Objects of operations (abi/shown.def). */
extern hd_semaphore hd_set_semaphores[HD_INSTANCES][HD_SET_MOST];

#endif
