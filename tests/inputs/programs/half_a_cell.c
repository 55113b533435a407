// The block touches the other half of the eight bytes on one way through it only.
// EXPECT: complete
// TESTS: dpor=15 dfs=24 unfold=15 contextual=15 naive=15
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int x[2] __attribute__((aligned(8)));

static void *low(void *unused)
{
    x[0] = 1;
    return unused;
}

static void *block(void *given)
{
    heddle_atomic_begin();
    x[0] += 0;
    if (*(int *)given == 1)
        x[1] = x[0];
    heddle_atomic_end();
    heddle_atomic_begin();
    x[1] = x[0];
    heddle_atomic_end();
    return NULL;
}

static void *high(void *unused)
{
    x[1] = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    int a = (int)heddle_range(0, 3, "a");
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, block, &a);
    pthread_create(&threads[2], NULL, high, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
