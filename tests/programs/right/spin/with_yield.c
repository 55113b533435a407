// The same with sched_yield in the loop.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

static atomic_int ready;

static void *send(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

static void *receive(void *unused)
{
    while (!atomic_load(&ready))
        sched_yield();
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, send, NULL);
    pthread_create(&q, NULL, receive, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
