// A stream that main has opened is read by both threads, in three rounds each. The stream is at the same
// address in every execution, whatever the engine does between them.
// EXPECT: complete
// TESTS: 20
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *f;

static void *reader(void *unused)
{
    char bytes[4];
    for (int i = 0; i < 3; i++)
        fread(bytes, 1, sizeof bytes, f);
    return unused;
}

int main(void)
{
    pthread_t t;
    f = fopen("/proc/self/exe", "r");
    assert(f);
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    fclose(f);
    return 0;
}
