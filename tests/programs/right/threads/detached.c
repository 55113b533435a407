// A detached thread signals its end by a counter that main waits for.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_detach(a);
    while (!atomic_load(&done)) {
    }
}
