// Two threads each create a third: which of those is T3 depends on the schedule, so executions are compared under
// wrong names, and nothing may be called complete.
// EXPECT: bound
// TESTS: 6
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum;

static void *leaf(void *arg)
{
    sum++;
    return arg;
}

static void *middle(void *arg)
{
    pthread_t thread;
    sum++;
    pthread_create(&thread, NULL, leaf, NULL);
    pthread_join(thread, NULL);
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
