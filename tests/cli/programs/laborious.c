/* Six executions, each with some tenths of a second of local work in the main thread. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order, last;

static unsigned work(void)
{
    unsigned random = 1;
    for (int i = 0; i < 400000000; i++)
        random = random * 1664525 + 1013904223;
    return random;
}

static void *worker(void *number)
{
    pthread_mutex_lock(&lock);
    last = *(int *)number;
    order++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    static int numbers[3] = { 1, 2, 3 };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    unsigned result = work();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return result == 1;
}
