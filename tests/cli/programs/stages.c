/* Two locks, one after the other: between them, the sum is behind the count. */
#include <assert.h>
#include <pthread.h>

enum { WRITERS = 60 };

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, sum_lock = PTHREAD_MUTEX_INITIALIZER;
static int started, sum;

static void *add(void *arg)
{
    pthread_mutex_lock(&count_lock);
    started = 1;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_lock(&sum_lock);
    sum = 1;
    pthread_mutex_unlock(&sum_lock);
    return arg;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&count_lock);
    int seen = started;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_lock(&sum_lock);
    assert(sum >= seen);
    pthread_mutex_unlock(&sum_lock);
    return arg;
}

int main(void)
{
    pthread_t writers[WRITERS], reader;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], 0, add, 0);
    pthread_create(&reader, 0, look, 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], 0);
    pthread_join(reader, 0);
    return 0;
}
