// A thread frees blocks of another and allocates in one execution of four. There, too, freed memory is not used again
// at once, however many executions have freed the same blocks before.
// EXPECT: finding use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int asked;

static void *frees(void *blocks)
{
    int *small = ((int **)blocks)[0];
    free(small);
    free(((int **)blocks)[1]);
    if (asked == 2) {
        int *next = malloc(sizeof *next);
        *small = 1;
        free(next);
    }
    return NULL;
}

static void *asks(void *unused)
{
    for (int i = 0; i < 3; i++)
        asked++;
    return unused;
}

int main(void)
{
    int *blocks[] = { malloc(sizeof(int)), malloc(5 << 20) };
    pthread_t a, b;
    pthread_create(&a, NULL, frees, blocks);
    pthread_create(&b, NULL, asks, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
