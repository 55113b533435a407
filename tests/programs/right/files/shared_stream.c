// Two threads take a byte each from one stream: who gets which is explored.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;
static int got[2];

static void *takes(void *to)
{
    *(int *)to = fgetc(file);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    file = fopen("/proc/self/exe", "rb");
    pthread_create(&a, NULL, takes, &got[0]);
    pthread_create(&b, NULL, takes, &got[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((got[0] == 0177 && got[1] == 'E') || (got[1] == 0177 && got[0] == 'E'));
}
