// Sleeping is the program's own, from another file: a loop that sleeps may end.
// RUN: EXPECT=complete
// RUN: -DTHREAD EXPECT=complete
// RUN: -Wl,--wrap=usleep -DWRAPPED EXPECT=complete
#include <pthread.h>
#include <unistd.h>

extern volatile int ticks;

static void *work(void *u)
{
    while (ticks < 10)
        usleep(1);
    return u;
}

int main(void)
{
#ifdef THREAD
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
#else
    work(NULL);
#endif
    return 0;
}
