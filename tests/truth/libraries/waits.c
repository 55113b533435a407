/* A library with threads of its own. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void waits_lock(void)
{
    pthread_mutex_lock(&lock);
}

void waits_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void *run(void *unused)
{
    return unused;
}

int waits_start(void)
{
    pthread_t t;
    return pthread_create(&t, NULL, run, NULL);
}
