/* Dekker's algorithm: N rounds of two threads that ask N times, at each place
 * where the algorithm waits, and give up then. */
#include "field.h"

static shared wants[2], turn, inside;

static int gets_turn(int me)
{
    for (int k = 0; k < N; k++)
        if (atomic_load(&turn) == me)
            return 1;
    return 0;
}

static int may_enter(int me)
{
    for (int k = 0; k < N; k++) {
        if (!atomic_load(&wants[1 - me]))
            return 1;
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], 0);
        if (!gets_turn(me))
            return 0;
        atomic_store(&wants[me], 1);
    }
    return 0;
}

static void *run(void *argument)
{
    int me = number(argument);
    for (int round = 0; round < N; round++) {
        atomic_store(&wants[me], 1);
        if (!may_enter(me))
            return NULL;
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        atomic_store(&turn, 1 - me);
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
