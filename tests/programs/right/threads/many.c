// Forty threads that have nothing to do with each other: one execution.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static int x[40][16];

static void *work(void *number)
{
    x[(long)number][0] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[40];
    for (long i = 0; i < 40; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 40; i++)
        pthread_join(threads[i], NULL);
}
