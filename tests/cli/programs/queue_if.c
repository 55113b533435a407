/* A queue whose take() waits with `if`: two threads that wait are woken for one element. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t m;
    pthread_cond_t filled;
    int count, head, tail, items[4];
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->m);
    q->items[q->tail] = item;
    q->tail = (q->tail + 1) % 4;
    q->count++;
    pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->m);
}

static int take(struct queue *q)
{
    pthread_mutex_lock(&q->m);
    if (q->count == 0)
        pthread_cond_wait(&q->filled, &q->m);
    assert(q->count > 0);
    int item = q->items[q->head];
    q->head = (q->head + 1) % 4;
    q->count--;
    pthread_mutex_unlock(&q->m);
    return item;
}

static void *consumer(void *q)
{
    take(q);
    take(q);
    return NULL;
}

static void *producer(void *q)
{
    for (int i = 0; i < 4; i++)
        put(q, i);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    struct queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->m, NULL);
    pthread_cond_init(&q->filled, NULL);
    pthread_create(&a, NULL, consumer, q);
    pthread_create(&b, NULL, consumer, q);
    pthread_create(&c, NULL, producer, q);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    free(q);
    return 0;
}
