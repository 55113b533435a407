#include <assert.h>
#include <pthread.h>

enum { THREADS = 14 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived;

static void *arrive(void *arg)
{
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, arrive, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(arrived < THREADS);
    return 0;
}
