/* A function with the name of one of the C library. */
#include <unistd.h>

volatile int ticks;

int usleep(useconds_t time)
{
    ticks++;
    return time == 0;
}
