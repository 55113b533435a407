// Fib 1 and 2 of "Minimizing test suites with unfoldings": two threads that add the variables to each other, A and B
// times, beside a third that reads both once.
// EXPECT: complete
// RUN: -DA=1 -DB=1 TESTS=11 DFS=yes
// RUN: -DA=4 -DB=4 TESTS=19605
// RUN: -DA=4 -DB=5 TESTS=59908
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;
static int seen_i, seen_j;

static void *grow_i(void *unused)
{
    for (int k = 0; k < A; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return unused;
}

static void *grow_j(void *unused)
{
    for (int k = 0; k < B; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, grow_i, NULL);
    pthread_create(&b, NULL, grow_j, NULL);
    seen_i = atomic_load(&i);
    seen_j = atomic_load(&j);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
