#include "deadline.h"

static struct timespec in_seconds(int seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += seconds;
    return t;
}

static int has_passed(const struct timespec *until)
{
    struct timespec now = in_seconds(0);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

int lease_take(struct lease *l)
{
    struct timespec limit = in_seconds(2);
    while (atomic_exchange(&l->holder, 1))
        if (has_passed(&limit))
            return 0;
    l->until = in_seconds(5);
    return 1;
}

int lease_has_expired(const struct lease *l)
{
    return has_passed(&l->until);
}

void lease_give(struct lease *l)
{
    atomic_store(&l->holder, 0);
}
