/* Szymanski's algorithm: N rounds of two threads that ask N times, at each
 * place where the algorithm waits, and give up then. */
#include "field.h"

static shared flags[2], inside;

static int other(int me)
{
    return atomic_load(&flags[1 - me]);
}

static int at_most(int me, int flag)
{
    for (int i = 0; i < N; i++)
        if (other(me) <= flag)
            return 1;
    return 0;
}

static int becomes_4(int me)
{
    for (int i = 0; i < N; i++)
        if (other(me) == 4)
            return 1;
    return 0;
}

static int is_out_of_2_and_3(int me)
{
    for (int i = 0; i < N; i++)
        if (other(me) < 2 || other(me) > 3)
            return 1;
    return 0;
}

static int passes_door(int me)
{
    atomic_store(&flags[me], 1);
    if (!at_most(me, 2))
        return 0;
    atomic_store(&flags[me], 3);
    if (other(me) == 1) {
        atomic_store(&flags[me], 2);
        if (!becomes_4(me))
            return 0;
    }
    atomic_store(&flags[me], 4);
    return at_most(me, 1);
}

static void *run(void *argument)
{
    int me = number(argument);
    for (int round = 0; round < N; round++) {
        if (!passes_door(me))
            return NULL;
        atomic_store(&inside, me + 1);
        assert(atomic_load(&inside) == me + 1);
        if (!is_out_of_2_and_3(me))
            return NULL;
        atomic_store(&flags[me], 0);
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
