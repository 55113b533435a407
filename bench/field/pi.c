/* N threads add up their part of the terms of pi on their own, TERMS each, and
 * then the sum under a mutex: N! traces. With -DINTEGERS the terms are whole
 * numbers, for tools that cannot do doubles. */
#include "field.h"

#ifdef INTEGERS
typedef long value;

static value term(int i)
{
    return i * 3 % 7;
}
#else
typedef double value;

static value term(int i)
{
    double x = (i + 0.5) / (N * TERMS);
    return 4.0 / (1.0 + x * x);
}
#endif

static value sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument)
{
    value part = 0;
    for (int i = 0; i < TERMS; i++)
        part += term(number(argument) * TERMS + i);
    pthread_mutex_lock(&lock);
    sum += part;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    start_all(threads, N, add);
    join_all(threads, N);
    return 0;
}
