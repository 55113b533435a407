// The flag is set without the lock, between the look and the wait.
// EXPECT: finding deadlock
// EXPECT: finding data-race
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *sets(void *unused)
{
    ready = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, waits, NULL);
    pthread_create(&q, NULL, sets, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
