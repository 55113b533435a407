/* Compiled by gcc: it asks for the real time, which heddle does not see there. */
#include <time.h>

int next_count(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)(now.tv_nsec >> 4 & 63);
}
