// A thread waits in a read of a stream, inside of the C library; that another one uses the stream then is not modelled.
// EXPECT: finding model-limit
// TESTS: 8
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *from;

static void *read_one(void *unused)
{
    fgetc(from);
    return unused;
}

int main(void)
{
    int ends[2];
    pthread_t t;
    pipe(ends);
    from = fdopen(ends[0], "r");
    pthread_create(&t, NULL, read_one, NULL);
    write(ends[1], "ab", 2);
    fgetc(from);
    pthread_join(t, NULL);
    return 0;
}
