// Behind the addition the second update never changes anything: one way for inputs that part before it.
// EXPECT: complete
// TESTS: dpor=17 dfs=89 unfold=19 contextual=19 naive=19
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
    (void)given;
    __atomic_fetch_add(&y, 3, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *second(void *given)
{
    const struct inputs *in = given;
    __atomic_fetch_or(&y, in->b & 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *third(void *given)
{
    const struct inputs *in = given;
    __atomic_fetch_add(&y, in->a, __ATOMIC_SEQ_CST);
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
