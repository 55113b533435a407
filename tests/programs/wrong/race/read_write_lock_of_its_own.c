// A lock that is taken only for writing does not protect the reader.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, seen;

static void *writes(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reads(void *unused)
{
    seen = x;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, writes, NULL);
    pthread_create(&q, NULL, reads, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
