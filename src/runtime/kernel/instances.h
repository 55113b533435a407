/* Numbers of kernel objects that belong to no process: shared memory, message queues, sets of semaphores.
 *
 * Each thread numbers the objects that it makes, and has a range of numbers of its own. So the number of an object
 * depends on its maker's history alone, and making two objects commutes. A number is never used for a second object in
 * one execution. */
#ifndef HD_RUNTIME_KERNEL_INSTANCES_H
#define HD_RUNTIME_KERNEL_INSTANCES_H

#include "abi/wire.h"

enum { HD_INSTANCES_EACH = 16, HD_INSTANCES = HD_INSTANCES_EACH * HD_MAX_THREADS };

/* Open, because each type of object has one by value. All zeros: there is no object. */
typedef struct hd_instances {
    uint32_t count;
    uint16_t made[HD_INSTANCES]; /* numbers, in the order in which they were given */
    uint8_t by[HD_MAX_THREADS]; /* how many each thread has made */
} hd_instances;

/* The next number of the current thread; `what` is the plural in the message if it has made too many. */
uint32_t hd_instances_add(hd_instances *i, const char *what);

int hd_instances_has(const hd_instances *i, uint32_t number);

/* Before a run: there is none. The caller has cleared the objects. */
void hd_instances_reset(hd_instances *i);

#endif
