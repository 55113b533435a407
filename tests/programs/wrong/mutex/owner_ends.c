// A thread ends with the lock held; it is not robust.
// EXPECT: finding deadlock
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

static void *wants(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, keeps, NULL);
    pthread_create(&q, NULL, wants, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
