/* Writers set two variables; a reader that comes in between sees the first alone. That is wrong if exactly two writers
 * have got 0 as their input. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 20
#endif

static int first, second, plain;

static void *write_both(void *arg)
{
    if (heddle_bool("mode"))
        first = 1;
    else
        first = 1, plain++;
    second = 1;
    return arg;
}

static void *read_both(void *arg)
{
    int a = first, b = second;
    assert(a == b || plain != 2);
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
