// One thread produces and one consumes, through a buffer of N places and two semaphores. A wait commutes with all posts but
// that of its token, so only the lock-free order is left: one execution for any number of items.
// EXPECT: complete
// RUN: -DN=1 -DITEMS=3 TESTS=1
// RUN: -DN=2 -DITEMS=4 TESTS=1
// RUN: -DN=3 -DITEMS=5 TESTS=1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_places, items;
static int buffer[N];

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&free_places);
        buffer[i % N] = i;
        sem_post(&items);
    }
    return unused;
}

int main(void)
{
    pthread_t producer;
    sem_init(&free_places, 0, N);
    sem_init(&items, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&items);
        assert(buffer[i % N] == i);
        sem_post(&free_places);
    }
    pthread_join(producer, NULL);
}
