// Two blocks with branches in them, a choice, and updates that commute with the blocks: sequences for some inputs only.
// EXPECT: complete
// TESTS: dpor=36 dfs=252 unfold=30 contextual=30 naive=30
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int x, z[2];
static unsigned y;

struct inputs {
    int a, b;
};

static void *first(void *given)
{
    struct inputs *in = given;
    heddle_atomic_begin();
    x += 2;
    if (in->b < 3)
        x = 1;
    heddle_atomic_end();
    return NULL;
}

static void *second(void *given)
{
    struct inputs *in = given;
    heddle_atomic_begin();
    x = in->a;
    if ((in->a ^ in->b) < 2)
        z[x & 1] = 1;
    heddle_atomic_end();
    __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *third(void *unused)
{
    if (heddle_choose(2))
        __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    struct inputs in = { (int)heddle_range(0, 3, "a"), (int)heddle_range(0, 3, "b") };
    pthread_create(&threads[0], NULL, first, &in);
    pthread_create(&threads[1], NULL, second, &in);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
