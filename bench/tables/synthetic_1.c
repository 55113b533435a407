/* Three threads; with INPUTS, the last operation of the second depends on an input. */
#include "sequences.h"

static void *first(void *argument)
{
    (void)argument;
    b = 1;
    b = 2;
    a = 1;
    (void)b;
    (void)b;
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    write_locked(&c);
    write_locked(&b);
    b = 3;
    c = 2;
    (void)c;
#ifdef INPUTS
    if (heddle_int("input") > 5)
        read_locked(&c);
    else
#endif
        write_locked(&c);
    return NULL;
}

static void *third(void *argument)
{
    (void)argument;
    (void)c;
    (void)a;
    read_locked(&a);
    write_locked(&c);
    return NULL;
}

int main(void)
{
    void *(*const bodies[])(void *) = { first, second, third };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        start(&threads[i], bodies[i], i);
    join_all(threads, 3);
    return 0;
}
