/* A key that exists before main, and the rounding of floating-point numbers. */
#include <fenv.h>
#include <pthread.h>

static pthread_key_t key;

__attribute__((constructor)) static void make_key(void)
{
    pthread_key_create(&key, NULL);
}

long early_next(void)
{
    long value = (long)pthread_getspecific(key);
    pthread_setspecific(key, (void *)(value + 1));
    return value;
}

int early_round_up(void)
{
    return fesetround(FE_UPWARD);
}

int early_rounds_to_nearest(void)
{
    return fegetround() == FE_TONEAREST;
}
