/* The same, told by what the threads return. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y;

static void *first(void *argument)
{
    (void)argument;
    atomic_store(&x, 1);
    return (void *)(intptr_t)atomic_load(&y);
}

static void *second(void *argument)
{
    (void)argument;
    atomic_store(&y, 1);
    return (void *)(intptr_t)atomic_load(&x);
}

int main(void)
{
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, &a);
    pthread_join(u, &b);
    assert(!(a && b));
    return 0;
}
