// A handler runs before an atomic update and makes updates of its own, which change nothing. The interrupted one
// still changes its variable, and so conflicts with the other thread's read.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen;

static void on_signal(int signal)
{
    int expected = 7;
    (void)signal;
    atomic_compare_exchange_strong(&y, &expected, 8);
}

static void *change(void *unused)
{
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, on_signal);
    pthread_create(&t, NULL, change, NULL);
    pthread_kill(t, SIGUSR1);
    seen = atomic_load(&x);
    pthread_join(t, NULL);
    assert(x == 1 && y == 0);
}
