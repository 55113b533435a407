// A loop that waits for a flag: the flag was up at the first look, or it is waited for.
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
    data = 1;
    atomic_store(&ready, 1);
    return unused;
}

static void *receive(void *unused)
{
    while (!atomic_load(&ready)) {
    }
    assert(data == 1);
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
