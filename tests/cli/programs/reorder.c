/* Writers set two variables; a reader that comes in between sees the first alone. */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 20
#endif

static int first, second;

static void *write_both(void *arg)
{
    first = 1;
    second = 1;
    return arg;
}

static void *read_both(void *arg)
{
    int a = first, b = second;
    assert(a == b);
    return arg;
}

int main(void)
{
    pthread_t writers[WRITERS], reader;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], 0, write_both, 0);
    pthread_create(&reader, 0, read_both, 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], 0);
    pthread_join(reader, 0);
    return 0;
}
