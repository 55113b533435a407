// Updates that change nothing commute like reads.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 3;

static void *set(void *number)
{
    atomic_fetch_or(&x, (int)(long)number + 1);
    atomic_exchange(&x, 3);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(x == 3);
}
