/* A thread whose joiner is cancelled can be joined again. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t blocked, joiner;

static void *blocks(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *joins(void *unused)
{
    pthread_join(blocked, NULL);
    return unused;
}

int main(void)
{
    void *result;
    pthread_mutex_lock(&mutex);
    pthread_create(&blocked, NULL, blocks, NULL);
    pthread_create(&joiner, NULL, joins, NULL);
    pthread_cancel(joiner);
    pthread_join(joiner, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_unlock(&mutex);
    assert(pthread_join(blocked, NULL) == 0);
    return 0;
}
