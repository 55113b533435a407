#include "queue.h"

void queue_put(queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    q->items[q->count++] = item;
    pthread_mutex_unlock(&q->lock);
}

int queue_take(queue *q)
{
    int item = 0;
    pthread_mutex_lock(&q->lock);
    if (q->count)
        item = q->items[--q->count];
    pthread_mutex_unlock(&q->lock);
    return item;
}
