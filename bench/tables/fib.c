/* Two threads add up Fibonacci numbers in two shared variables, A and B rounds,
 * beside a third that looks at both: 19605 traces for 4 and 4 rounds (Fib 1),
 * 59908 for 4 and 5 (Fib 2). */
#include "../field/field.h"

static shared i = 1, j = 1;

static void *first(void *argument)
{
    (void)argument;
    for (int k = 0; k < A; k++)
        i = i + j;
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    for (int k = 0; k < B; k++)
        j = j + i;
    return NULL;
}

static void *look(void *argument)
{
    (void)argument;
    assert(i < 1000);
    assert(j < 1000);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    start(&threads[0], first, 0);
    start(&threads[1], second, 1);
    start(&threads[2], look, 2);
    join_all(threads, 3);
    return 0;
}
