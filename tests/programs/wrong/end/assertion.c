// The order of two stores decides.
// EXPECT: finding assertion at 25
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *number)
{
    atomic_store(&x, (int)(long)number);
    return NULL;
}

/* The last one wins. */
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(x == 1);
}
