// Whoever of two threads is first creates 400 others: that is 802 different threads in two executions, so numbers are
// given twice, and nothing may be called complete.
// EXPECT: bound
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CHILDREN = 400 };

static atomic_int turn;

static void *leaf(void *arg)
{
    return arg;
}

static void *middle(void *arg)
{
    if (turn++)
        return arg;
    static pthread_t threads[CHILDREN];
    for (int i = 0; i < CHILDREN; i++)
        pthread_create(&threads[i], NULL, leaf, NULL);
    for (int i = 0; i < CHILDREN; i++)
        pthread_join(threads[i], NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, middle, NULL);
    pthread_create(&b, NULL, middle, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
