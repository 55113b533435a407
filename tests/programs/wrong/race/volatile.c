// A flag that is volatile is not atomic: it races. (With --volatile=atomic it does not: right/atomics/volatile.c.)
// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>

static volatile int ready;

static void *sets(void *unused)
{
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    while (!ready) { }
    pthread_join(thread, NULL);
    return 0;
}
