// A thread spins for a flag with the lock held that the other needs to raise it.
// EXPECT: finding deadlock
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&ready)) {
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *sets(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_store(&ready, 1);
    pthread_mutex_unlock(&lock);
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
