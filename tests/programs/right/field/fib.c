// Two threads add the variables to each other, K times each (fib_bench of SV-COMP).
// EXPECT: complete
// RUN: -DK=1 -DLIMIT=3 TESTS=3 DFS=yes
// RUN: -DK=3 -DLIMIT=21 TESTS=141 DFS=yes
// RUN: -DK=4 -DLIMIT=55 TESTS=1107
// RUN: -DK=5 -DLIMIT=144 TESTS=8953
// RUN: -DK=6 -DLIMIT=377 TESTS=73789
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;

static void *grow_i(void *unused)
{
    for (int k = 0; k < K; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return unused;
}

static void *grow_j(void *unused)
{
    for (int k = 0; k < K; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, grow_i, NULL);
    pthread_create(&q, NULL, grow_j, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(i <= LIMIT && j <= LIMIT);
}
