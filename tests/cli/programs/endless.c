#include <pthread.h>

static void *spin(void *arg)
{
    volatile unsigned n = 0;
    for (;;)
        n++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, spin, NULL);
    pthread_join(t, NULL);
    return 0;
}
