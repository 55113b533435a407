// Two threads each create a third: which of those is created first depends on the schedule, who it is does not.
// EXPECT: complete
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
