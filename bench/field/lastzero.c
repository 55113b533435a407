/* N writers, each of which sets its element of an array to one more than its
 * neighbour's, and a reader that looks for the last element that is zero. */
#include "field.h"

static shared array[N + 1];

static void *search(void *argument)
{
    (void)argument;
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return NULL;
}

static void *increase(void *argument)
{
    int i = number(argument);
    atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    start(&threads[0], search, 0);
    for (int i = 1; i <= N; i++)
        start(&threads[i], increase, i);
    join_all(threads, N + 1);
    return 0;
}
