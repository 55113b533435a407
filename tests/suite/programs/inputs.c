/* A thread whose way depends on an input, beside one that sees what came of it. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int x;

static void *decide(void *argument)
{
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        x = n == 42 ? 3 : 1;
    else
        x = 2;
    return argument;
}

static void *look(void *argument)
{
    (void)atomic_load(&x);
    return argument;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, decide, NULL);
    pthread_create(&u, NULL, look, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
