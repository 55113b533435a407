// T1 frees, after taking another lock, a block with a mutex in it that the main
// thread locks: before, while it is locked (each failure ends the process before
// or after the other unlock: 2 × 2), or after.
// EXPECT: finding use-after-free
// TESTS: 5
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *frees(void *mutex)
{
    pthread_mutex_lock(&other);
    free(mutex);
    pthread_mutex_unlock(&other);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&t, NULL, frees, mutex);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    pthread_join(t, NULL);
}
