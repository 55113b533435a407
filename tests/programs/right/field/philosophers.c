// Dining philosophers of whom the last takes his right fork first: 2^N - 2 orders, no deadlock.
// EXPECT: complete
// RUN: -DN=3 TESTS=6 DFS=yes
// RUN: -DN=4 TESTS=14
// RUN: -DN=5 TESTS=30
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_mutex_t fork_[N];
static int meals[N];

static void *dine(void *number)
{
    long left = (long)number, right = (left + 1) % N;
    if (left == N - 1) {
        left = 0;
        right = N - 1;
    }
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
