// Threads that share an array but no element.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static int x[8];

static void *fill(void *number)
{
    for (long i = (long)number; i < 8; i += 4)
        x[i] = (int)i;
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (long i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 8; i++)
        assert(x[i] == i);
}
