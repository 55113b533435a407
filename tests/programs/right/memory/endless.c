// Allocates without end in one of two orders: the execution ends at the bound of the heap.
// EXPECT: bound
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first;
static void *volatile last;

static void *work(void *argument)
{
    first = 1;
    return argument;
}

static void fill(void)
{
    for (;;)
        last = malloc(100000);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!first)
        fill();
    pthread_join(thread, NULL);
    return 0;
}
