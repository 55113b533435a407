// Dining philosophers, each left fork first: 2^N - 2 orders in which they eat and one deadlock.
// EXPECT: finding deadlock
// RUN: -DN=2 TESTS=3 DFS=yes
// RUN: -DN=3 TESTS=7 DFS=yes
// RUN: -DN=4 TESTS=15
// RUN: -DN=5 TESTS=31
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_mutex_t fork_[N];
static int meals[N];

static void *dine(void *number)
{
    long left = (long)number, right = (left + 1) % N;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&fork_[left]);
        pthread_mutex_lock(&fork_[right]);
        meals[(long)number]++;
        pthread_mutex_unlock(&fork_[right]);
        pthread_mutex_unlock(&fork_[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
