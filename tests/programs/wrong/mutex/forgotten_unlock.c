// One path returns without unlocking: whoever comes second waits forever.
// EXPECT: finding deadlock
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (x++ == 0)
        return NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, work, NULL);
    pthread_create(&q, NULL, work, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
