// Data published by a flag is seen, and is no data race.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *send(void *unused)
{
    data = 42;
    atomic_store(&ready, 1);
    return unused;
}

static void *receive(void *unused)
{
    if (atomic_load(&ready))
        assert(data == 42);
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
