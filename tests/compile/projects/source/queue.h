/* A bounded queue of integers between threads. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int items[4];
    unsigned first, count;
} queue;

void queue_open(queue *q);
void queue_put(queue *q, int item);
int queue_take(queue *q);
void queue_close(queue *q);

#endif
