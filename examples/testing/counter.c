/* A counter that two threads increase. With -DBROKEN one of them forgets the lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
#ifdef BROKEN
    count++;
#else
    add(NULL);
#endif
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
