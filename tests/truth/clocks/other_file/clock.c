#include "clock.h"

long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

void start(struct timer *t)
{
    t->started = now();
}

int has_passed(const struct timer *t)
{
    return now() > t->started + 2;
}

time_t (*clock_of_this_program)(time_t *) = time;
