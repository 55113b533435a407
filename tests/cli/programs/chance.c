/* Depends on the processor's clock, which heddle does not control. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static unsigned chance(void)
{
    unsigned low, high;
    __asm__ volatile(".byte 0x0f, 0x31" : "=a"(low), "=d"(high)); /* rdtsc, not recognised */
    return low >> 4 & 1;
}

static void *worker(void *arg)
{
    for (int i = 0; i < 8; i++)
        if (chance())
            x++;
        else
            x = 7;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
