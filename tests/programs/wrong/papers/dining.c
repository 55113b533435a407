// Dining of "Minimizing test suites with unfoldings": 4 philosophers, 2 rounds, left fork first.
// 831 traces, of which 786 end without a deadlock.
// EXPECT: finding deadlock
// CFLAGS: -DN=4 -DROUNDS=2
// TESTS: 831
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
