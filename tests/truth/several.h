/* What makes a program have two executions: two threads take a lock, in either order. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t several_lock = PTHREAD_MUTEX_INITIALIZER;

static void *several_take(void *unused)
{
    pthread_mutex_lock(&several_lock);
    pthread_mutex_unlock(&several_lock);
    return unused;
}

static void several(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, several_take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
