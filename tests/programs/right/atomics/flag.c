// atomic_flag as a lock that is tried once.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int entered;

static void *try_it(void *unused)
{
    if (!atomic_flag_test_and_set(&flag)) {
        entered++;
        atomic_flag_clear(&flag);
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, try_it, NULL);
    pthread_create(&q, NULL, try_it, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(entered >= 1);
}
