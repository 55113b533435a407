/* Two threads that add each other's variable to their own, N times each: the
 * largest sum is a Fibonacci number. */
#include "field.h"

static shared a = 1, b = 1;

static void *add_to_a(void *argument)
{
    (void)argument;
    for (int k = 0; k < N; k++)
        atomic_store(&a, atomic_load(&a) + atomic_load(&b));
    return NULL;
}

static void *add_to_b(void *argument)
{
    (void)argument;
    for (int k = 0; k < N; k++)
        atomic_store(&b, atomic_load(&b) + atomic_load(&a));
    return NULL;
}

static int fibonacci(int n)
{
    int previous = 0, current = 1;
    while (--n > 0) {
        int next = previous + current;
        previous = current;
        current = next;
    }
    return current;
}

int main(void)
{
    pthread_t threads[2];
    start(&threads[0], add_to_a, 0);
    start(&threads[1], add_to_b, 0);
    join_all(threads, 2);
    int most = fibonacci(2 * N + 2);
    assert(atomic_load(&a) <= most && atomic_load(&b) <= most);
    return 0;
}
