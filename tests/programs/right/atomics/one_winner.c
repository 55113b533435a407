// Of N compare-and-swaps one wins; the losers commute: N winners, and no order among the others.
// EXPECT: complete
// RUN: -DN=2 TESTS=2 DFS=yes
// RUN: -DN=3 TESTS=3 DFS=yes
// RUN: -DN=4 TESTS=4 DFS=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int winners[N][16];

static void *claim(void *number)
{
    int nobody = 0;
    winners[(long)number][0] = atomic_compare_exchange_strong(&owner, &nobody, (int)(long)number + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, claim, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += winners[i][0];
    assert(sum == 1);
}
