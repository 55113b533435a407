/* A constructor that heddle does not see: it calls the program, and starts a thread if it is told to. */
#include <pthread.h>
#include <stdlib.h>

extern int early_called(int) __attribute__((weak));

static void *run(void *p)
{
    return p;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t t;
    if (early_called)
        early_called(4);
    if (getenv("EARLY_THREAD"))
        pthread_create(&t, NULL, run, NULL);
}

int early_unused(void)
{
    return 1;
}
