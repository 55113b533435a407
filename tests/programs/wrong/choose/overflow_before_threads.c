// The start with one thread is not the same in every execution if it chooses.
// EXPECT: finding heap-overflow
// TESTS: 2
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    char *block = malloc(4);
    block[4 * heddle_choose(2)] = 1;
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    free(block);
}
