// Divides by what the other thread sets, before, too late, or never.
// EXPECT: finding crash
// TESTS: 3
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int result[16];

static void *sets(void *unused)
{
    atomic_store(&x, 5);
    return unused;
}

static void *divides(void *unused)
{
    result[8] = 100 / atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, sets, NULL);
    pthread_create(&q, NULL, divides, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
