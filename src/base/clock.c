#include "base/clock.h"

#include <time.h>

double hd_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool hd_deadline_is_over(const hd_deadline *d)
{
    return (d->stop && *d->stop) || (d->until > 0 && hd_now() >= d->until);
}
