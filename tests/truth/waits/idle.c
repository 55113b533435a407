// A thread that goes round a loop in which it looks at nothing waits forever: others go on.
// RUN: -DHOW=0 EXPECT='finding assertion at 39'
// RUN: -DHOW=1 EXPECT='finding assertion at 39'
// RUN: -DHOW=2 EXPECT='finding deadlock at 25'
// RUN: -DHOW=3 EXPECT=complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int x;
static _Atomic int started;

static void idle(void)
{
    switch (HOW) {
    case 0:
        for (;;) { }
    case 3:
        while (!started) { }
        break;
    default:
        for (;;)
            sleep(1);
    }
}

static void *idler(void *unused)
{
    idle();
    return unused;
}

static void *worker(void *unused)
{
    int seen = x++;
    if (HOW < 2)
        assert(seen == 0);
    started = 1;
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, idler, NULL);
    for (int i = 1; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = HOW < 2 ? 1 : 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
