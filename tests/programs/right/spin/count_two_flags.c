// One of two flags is always set. A round may find neither, if they change in its middle; the next one does not. So the
// loop never comes to its end.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second = 1;

static void *exchange(void *unused)
{
    first = 1;
    second = 0;
    return unused;
}

static int finds_one(void)
{
    for (int i = 0; i < 1000; i++) {
        int one = first, other = second;
        if (one | other)
            return 1;
    }
    return 0;
}

int main(void)
{
    pthread_t exchanger;
    pthread_create(&exchanger, NULL, exchange, NULL);
    assert(finds_one());
    pthread_join(exchanger, NULL);
    return 0;
}
