// A checked mutex refuses an unlock by a thread that does not hold it, and stays as it is. Two orders of the locks, with five
// places for the refusal.
// EXPECT: complete
// TESTS: 10
// DFS: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *takes(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&a, NULL, takes, NULL);
    pthread_create(&b, NULL, takes, NULL);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
