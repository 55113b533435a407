// main joins a thread while it holds the lock that the thread needs.
// EXPECT: finding deadlock
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_join(a, NULL);
    pthread_mutex_unlock(&lock);
}
