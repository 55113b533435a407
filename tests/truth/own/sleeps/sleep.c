#include <unistd.h>

volatile int ticks;
int __wrap_usleep(useconds_t time);

#ifdef WRAPPED
int __wrap_usleep(useconds_t time)
#else
int usleep(useconds_t time)
#endif
{
    ticks++;
    return time == 0;
}
