// abort() in one order of two.
// EXPECT: finding abort
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *set(void *number)
{
    atomic_store(&x, (int)(long)number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (x == 0)
        abort();
}
