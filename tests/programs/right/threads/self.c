// Threads know themselves and each other.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static pthread_t mine[2][8];

static void *work(void *number)
{
    mine[(long)number][0] = pthread_self();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < 2; i++)
        assert(pthread_equal(mine[i][0], threads[i]));
    assert(!pthread_equal(mine[0][0], mine[1][0]) && !pthread_equal(mine[0][0], pthread_self()));
}
