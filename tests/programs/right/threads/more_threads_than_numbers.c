// Whoever of two threads is first creates 70 others: that is 142 different threads in two executions, so numbers are
// given twice, and nothing may be called complete.
// EXPECT: bound
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CHILDREN = 70 };

static atomic_int turn;

static void *leaf(void *arg)
{
    return arg;
}

static void *middle(void *arg)
{
    if (turn++)
        return arg;
    for (int i = 0; i < CHILDREN; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, leaf, NULL);
        pthread_join(thread, NULL);
    }
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
