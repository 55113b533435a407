// A try to join succeeds or not, whichever of the two comes first; a loop of
// tries is a wait, known to be one after a round in vain.
// EXPECT: complete
// DFS: yes
// RUN: TESTS=2
// RUN: -DLOOP TESTS=3
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static int done;

static void *work(void *argument)
{
    done = 1;
    return argument;
}

int main(void)
{
    pthread_t t;
    void *result = NULL;
    pthread_create(&t, NULL, work, &done);
    int error = pthread_tryjoin_np(t, &result);
#ifdef LOOP
    while (error == EBUSY) {
        sched_yield();
        error = pthread_tryjoin_np(t, &result);
    }
#endif
    assert(error == 0 || error == EBUSY);
    if (error)
        pthread_join(t, &result);
    assert(done && result == &done);
}
