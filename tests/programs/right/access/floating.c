// Doubles and long doubles under a lock.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double d = 1.5;
static long double l = 2.5L;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    d *= 2;
    l += d;
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
    assert(d == 6 && l == 11.5L);
}
