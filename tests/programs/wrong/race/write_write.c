// Two writes.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static int x;

static void *one(void *unused)
{
    x = 1;
    return unused;
}

static void *two(void *unused)
{
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
