/* Four threads, one of which does one thing or another as an input says. */
#include "sequences.h"

static void *first(void *argument)
{
    (void)argument;
    (void)a;
    b = 1;
    c = 1;
    return NULL;
}

static void *second(void *argument)
{
    (void)argument;
    if (heddle_int("input") > 5)
        (void)c;
    else
        (void)a;
    (void)c;
    read_locked(&c);
    (void)a;
    return NULL;
}

static void *third(void *argument)
{
    (void)argument;
    a = 1;
    (void)c;
    a = 2;
    return NULL;
}

static void *fourth(void *argument)
{
    (void)argument;
    read_locked(&b);
    b = 2;
    (void)b;
    return NULL;
}

int main(void)
{
    void *(*const bodies[])(void *) = { first, second, third, fourth };
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        start(&threads[i], bodies[i], i);
    join_all(threads, 4);
    return 0;
}
