// Mutual exclusion by flags that are raised too late.
// EXPECT: finding assertion
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;

static void *work(void *number)
{
    long me = (long)number;
    if (atomic_load(&wants[1 - me]))
        return NULL;
    atomic_store(&wants[me], 1);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
