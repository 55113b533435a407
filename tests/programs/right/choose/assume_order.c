// Only the order in which the writer is first is looked at.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <heddle.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *write_it(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *read_it(void *unused)
{
    heddle_assume(atomic_load(&x) == 1);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, write_it, NULL);
    pthread_create(&q, NULL, read_it, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
