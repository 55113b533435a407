// A loop that ends when either of two flags is set: what it finds behind that depends on which, and when.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first, second, value;

static void *wait_for_either(void *unused)
{
    while (!first && !second) { }
    if (second && !first)
        assert(value != 2);
    return unused;
}

static void *set_second(void *unused)
{
    value = 1;
    second = 1;
    value = 2;
    return unused;
}

static void *set_first(void *unused)
{
    while (value != 2) { }
    first = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, wait_for_either, NULL);
    pthread_create(&threads[1], NULL, set_second, NULL);
    pthread_create(&threads[2], NULL, set_first, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
