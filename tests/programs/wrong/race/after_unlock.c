// The last use of the value is behind the unlock.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, seen;

static void *reads_late(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    seen = x;
    return unused;
}

static void *writes(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, reads_late, NULL);
    pthread_create(&q, NULL, writes, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
