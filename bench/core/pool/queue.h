/* A bounded queue of jobs with two priorities, first in first out within each.
 * Not safe by itself: the pool's lock protects it. */
#ifndef POOL_QUEUE_H
#define POOL_QUEUE_H

#include "job.h"

#include <stdbool.h>

enum { QUEUE_ROOM = 8 };

typedef enum priority { URGENT, NORMAL, PRIORITIES } priority;

typedef struct ring {
    job *items[QUEUE_ROOM];
    unsigned first, count;
} ring;

typedef struct queue {
    ring rings[PRIORITIES];
    unsigned count;
    unsigned most; /* it has held */
} queue;

void queue_init(queue *q);
bool queue_is_empty(const queue *q);
bool queue_is_full(const queue *q, priority p);

/* The queue must not be full. */
void queue_put(queue *q, job *j, priority p);

/* The queue must not be empty. */
job *queue_take(queue *q);

/* Removes a job that still waits; false if it does not. */
bool queue_remove(queue *q, const job *j);

#endif
