/* N pairs of a reader and a writer, each pair on a variable of its own: 2^N
 * traces. */
#include "field.h"

static shared variables[N];
static int seen[N];

static void *reader(void *argument)
{
    seen[number(argument)] = atomic_load(&variables[number(argument)]);
    return NULL;
}

static void *writer(void *argument)
{
    atomic_store(&variables[number(argument)], 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2 * N];
    for (int i = 0; i < N; i++) {
        start(&threads[2 * i], reader, i);
        start(&threads[2 * i + 1], writer, i);
    }
    join_all(threads, 2 * N);
    return 0;
}
