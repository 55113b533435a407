// The exchange is planned before another, alone and with the block before it: with some inputs only one of the two leads on.
// EXPECT: complete
// TESTS: dpor=38 dfs=1975 unfold=79 contextual=62 naive=105
// BLOCKED: 1
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static unsigned y;
static int x[2];

struct inputs {
    unsigned a, b;
};

static void *first(void *given)
{
    const struct inputs *in = given;
    __atomic_exchange_n(&y, in->a, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *second(void *given)
{
    const struct inputs *in = given;
    heddle_atomic_begin();
    x[0] = 2;
    if (in->a + in->b == 2)
        x[1] = x[0];
    heddle_atomic_end();
    if (in->a + in->b > 3)
        __atomic_compare_exchange_n(&y, &(unsigned) { 1 }, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *third(void *given)
{
    (void)given;
    __atomic_exchange_n(&y, 2, __ATOMIC_SEQ_CST);
    x[0] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    struct inputs in = { (unsigned)heddle_range(0, 3, "a"), (unsigned)heddle_range(0, 3, "b") };
    pthread_create(&threads[0], NULL, first, &in);
    pthread_create(&threads[1], NULL, second, &in);
    pthread_create(&threads[2], NULL, third, &in);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
