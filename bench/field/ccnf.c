/* N pairs of writers, each pair on a variable of its own: 2^N traces. */
#include "field.h"

static shared variables[N];

static void *write_1(void *argument)
{
    atomic_store(&variables[number(argument)], 1);
    return NULL;
}

static void *write_2(void *argument)
{
    atomic_store(&variables[number(argument)], 2);
    return NULL;
}

int main(void)
{
    pthread_t threads[2 * N];
    for (int i = 0; i < N; i++) {
        start(&threads[2 * i], write_1, i);
        start(&threads[2 * i + 1], write_2, i);
    }
    join_all(threads, 2 * N);
    return 0;
}
