#include "queue.h"

enum { ROOM = sizeof((queue *)0)->items / sizeof(int) };

void queue_open(queue *q)
{
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    q->first = q->count = 0;
}

void queue_put(queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == ROOM)
        pthread_cond_wait(&q->changed, &q->lock);
    q->items[(q->first + q->count++) % ROOM] = item;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

int queue_take(queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->count)
        pthread_cond_wait(&q->changed, &q->lock);
    int item = q->items[q->first];
    q->first = (q->first + 1) % ROOM;
    q->count--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return item;
}

void queue_close(queue *q)
{
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
}
