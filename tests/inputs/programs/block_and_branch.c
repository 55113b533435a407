// Both ways through a block conflict with what another thread writes on one side of a branch of its own.
// EXPECT: complete
// TESTS: dpor=6 dfs=10 unfold=5 contextual=5 naive=5
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int x;

struct inputs {
    int a, b;
};

static void *block(void *given)
{
    struct inputs *in = given;
    heddle_atomic_begin();
    x = 2;
    if (in->a & 1)
        x = 0;
    heddle_atomic_end();
    return NULL;
}

static void *branch(void *given)
{
    struct inputs *in = given;
    if (in->b & 1)
        x = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct inputs in = { (int)heddle_range(0, 3, "a"), (int)heddle_range(0, 3, "b") };
    pthread_create(&threads[0], NULL, block, &in);
    pthread_create(&threads[1], NULL, branch, &in);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
