// Three updates that change something or not: each is moved before both others, and wakes somebody there with some inputs only.
// EXPECT: complete
// TESTS: dpor=11 dfs=300 unfold=20 contextual=20 naive=40
// BLOCKED: 3
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static unsigned y;

struct inputs {
    unsigned a, b;
};

static void *first(void *given)
{
    const struct inputs *in = given;
    __atomic_fetch_or(&y, in->b, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *second(void *given)
{
    const struct inputs *in = given;
    __atomic_exchange_n(&y, in->a, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *third(void *given)
{
    const struct inputs *in = given;
    __atomic_exchange_n(&y, in->a, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    struct inputs in = { (unsigned)heddle_range(0, 1, "a"), (unsigned)heddle_range(0, 1, "b") };
    pthread_create(&threads[0], NULL, first, &in);
    pthread_create(&threads[1], NULL, second, &in);
    pthread_create(&threads[2], NULL, third, &in);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
