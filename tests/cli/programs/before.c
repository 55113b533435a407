#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef CREATES
static void *nothing(void *argument)
{
    return argument;
}
#endif

__attribute__((constructor)) static void boom(void)
{
#ifdef LEAVES
    exit(5);
#elif defined ASSERTS
    assert(1 == 2);
#elif defined CREATES
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
#else
    *(volatile int *)8 = 1;
#endif
}

int main(void)
{
    return 0;
}
