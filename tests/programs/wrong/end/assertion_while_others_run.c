// A thread fails while another goes on: all that the other may have done by then.
// EXPECT: finding assertion
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *fails(void *unused)
{
    assert(atomic_load(&x) == 1);
    return unused;
}

static void *goes_on(void *unused)
{
    atomic_store(&y, 1);
    atomic_store(&y, 2);
    atomic_store(&y, 3);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, fails, NULL);
    pthread_create(&q, NULL, goes_on, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
