/* Peterson's algorithm: N rounds of two threads that ask POLLS times (three) whether
 * they may enter, and give up then. */
#include "field.h"

#ifndef POLLS
#define POLLS 3
#endif

static shared wants[2], turn, inside;

static int may_enter(int me)
{
    for (int k = 0; k < POLLS; k++)
        if (atomic_load(&wants[1 - me]) == 0 || atomic_load(&turn) == me)
            return 1;
    return 0;
}

static void *run(void *argument)
{
    int me = number(argument);
    for (int round = 0; round < N; round++) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, 1 - me);
        if (!may_enter(me))
            return NULL;
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    start_all(threads, 2, run);
    join_all(threads, 2);
    return 0;
}
