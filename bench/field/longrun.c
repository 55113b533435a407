/* Two threads with STEPS steps of work of their own and three shared accesses
 * each: what local steps cost. */
#include "field.h"

static shared variable;
static unsigned results[2];

static unsigned work(unsigned state, int steps)
{
    while (steps-- > 0) {
        state = state * 1664525u + 1013904223u;
        state ^= state >> 13;
    }
    return state;
}

static void *run(void *argument)
{
    unsigned state = (unsigned)number(argument) + 1;
    state += (unsigned)atomic_load(&variable);
    state = work(state, STEPS / 2);
    atomic_store(&variable, number(argument) + 1);
    state = work(state, STEPS / 2);
    results[number(argument)] = state + (unsigned)atomic_load(&variable);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    start_all(threads, 2, run);
    join_all(threads, 2);
    return 0;
}
