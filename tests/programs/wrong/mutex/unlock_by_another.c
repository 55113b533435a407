// T2 unlocks what T1 holds, if T1 holds it by then.
// EXPECT: finding lock-discipline
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *meddles(void *unused)
{
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, holds, NULL);
    pthread_create(&q, NULL, meddles, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
