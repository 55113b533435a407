/* An atomic block without an end. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;

static void __VERIFIER_atomic_run(void)
{
    for (;;)
        atomic_fetch_add(&steps, 1);
}

static void *run(void *argument)
{
    __VERIFIER_atomic_run();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    atomic_fetch_add(&steps, 1);
    pthread_join(thread, 0);
}
