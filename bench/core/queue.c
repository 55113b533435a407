/* A bounded queue without locks between a producer and two consumers, about 270 operations. */
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 4, ITEMS = 40, CONSUMERS = 2, TRIES = 40 };

static atomic_uint head, tail;
static atomic_int slots[ROOM];
static int taken[CONSUMERS];

static int put(int item)
{
    unsigned at = atomic_load(&tail);
    if (at - atomic_load(&head) == ROOM)
        return 0;
    atomic_store(&slots[at % ROOM], item);
    atomic_store(&tail, at + 1);
    return 1;
}

static int take(int *item)
{
    unsigned at = atomic_load(&head);
    if (at == atomic_load(&tail))
        return 0;
    *item = atomic_load(&slots[at % ROOM]);
    return atomic_compare_exchange_strong(&head, &at, at + 1);
}

static void *produce(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        put(i + 1);
    return arg;
}

static void *consume(void *arg)
{
    int item;
    for (int i = 0; i < TRIES; i++)
        if (take(&item))
            *(int *)arg += item;
    return arg;
}

int main(void)
{
    pthread_t threads[1 + CONSUMERS];
    pthread_create(&threads[0], NULL, produce, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&threads[1 + i], NULL, consume, &taken[i]);
    for (int i = 0; i < 1 + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
