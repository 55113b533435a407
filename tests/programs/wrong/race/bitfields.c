// Neighbouring bit fields share their bytes: writing one rewrites the other.
// EXPECT: finding data-race
// DFS: yes
#include <pthread.h>

static struct {
    unsigned a : 3, b : 5;
} x;

static void *one(void *unused)
{
    x.a = 5;
    return unused;
}

static void *two(void *unused)
{
    x.b = 17;
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
