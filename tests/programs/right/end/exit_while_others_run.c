// exit ends the process wherever the others are: after 0, 1, 2 or 3 of their operations.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *work(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    atomic_store(&x, 3);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    exit(0);
}
