// The race needs the second thread to come late: most schedules hide it.
// EXPECT: finding data-race
// TESTS: 3
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int started;
static int x;

static void *one(void *unused)
{
    x = 1;
    atomic_store(&started, 1);
    return unused;
}

static void *two(void *unused)
{
    if (!atomic_load(&started))
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
