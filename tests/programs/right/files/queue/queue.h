#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

typedef struct queue {
    pthread_mutex_t lock;
    int items[4], count;
} queue;

void queue_put(queue *q, int item);
int queue_take(queue *q);

#endif
