// Producers and consumers of a buffer with one place, with a mutex and two condition variables.
// The numbers depend on how a wait is modelled. Here a wait is two operations: begin to wait, which gives up the
// mutex, and, once a signal has chosen this waiter, lock; which of several waiters a signal wakes is a choice, as POSIX
// leaves it open. Every row is what looking at all schedules counts. Nidhugg counts 32, 2432 and 29728 for the rows
// (1,1,3), (2,1,2) and (2,2,2); why the last differs has not been found out: the choice of the waiter alone does not
// explain it, since (2,1,2) has two waiters to choose from as well.
// EXPECT: complete
// RUN: -DP=1 -DC=1 -DITEMS=1 TESTS=2 DFS=yes
// RUN: -DP=1 -DC=1 -DITEMS=3 TESTS=32 DFS=yes
// RUN: -DP=2 -DC=1 -DITEMS=2 TESTS=2432 DFS=yes
// RUN: -DP=2 -DC=1 -DITEMS=1 TESTS=16 DFS=yes
// RUN: -DP=2 -DC=2 -DITEMS=1 TESTS=64 DFS=yes
// RUN: -DP=2 -DC=2 -DITEMS=2 TESTS=86336 DFS=yes
#include <assert.h>
#include <pthread.h>

static int place, full, got;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    for (int k = 0; k < ITEMS; k++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&not_full, &lock);
        place = k + 1;
        full = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int k = 0; k < ITEMS * P / C; k++) {
        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&not_empty, &lock);
        got += place;
        full = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[P + C];
    for (int i = 0; i < P + C; i++)
        pthread_create(&threads[i], NULL, i < P ? produce : consume, NULL);
    for (int i = 0; i < P + C; i++)
        pthread_join(threads[i], NULL);
    assert(!full && got == P * ITEMS * (ITEMS + 1) / 2);
}
