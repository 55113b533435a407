// main leaves by pthread_exit; the process ends with its last thread, and exit
// handlers run then.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int worked;

static void at_end(void)
{
    assert(worked);
}

static void *works(void *unused)
{
    worked = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    atexit(at_end);
    pthread_create(&t, NULL, works, NULL);
    pthread_exit(NULL);
}
