/* Two failures and two data races, all independent of each other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;
static int plain, other;

static void check_first(int seen)
{
    assert(!seen);
}

static void check_second(int seen)
{
    assert(seen != 2);
}

static void touch(void)
{
    plain++;
}

static void poke(void)
{
    other++;
}

static void *thread(void *unused)
{
    touch();
    a = 1;
    poke();
    b = 2;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    touch();
    check_first(a);
    poke();
    check_second(b);
    pthread_join(t, NULL);
    return 0;
}
