// 512 threads that exist at the same time.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

enum { THREADS = 512 };

static long cells[THREADS];

static void *work(void *argument)
{
    ++*(long *)argument;
    return argument;
}

int main(void)
{
    static pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &cells[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(cells[i] == 1);
    return 0;
}
