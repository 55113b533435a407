/* One writer and N readers of one variable: each reader sees it before or
 * after, 2^N traces. */
#include "field.h"

static shared variable;
static int seen[N];

static void *reader(void *argument)
{
    seen[number(argument)] = atomic_load(&variable);
    return NULL;
}

static void *writer(void *argument)
{
    (void)argument;
    atomic_store(&variable, 42);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    start(&threads[N], writer, 0);
    start_all(threads, N, reader);
    join_all(threads, N + 1);
    return 0;
}
