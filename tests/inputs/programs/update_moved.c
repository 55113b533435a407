// Where the update comes first, one value makes it change something and the other does not; behind the addition it never does.
// EXPECT: complete
// TESTS: dpor=6 dfs=21 unfold=6 contextual=6 naive=12
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static unsigned y;

static void *add(void *given)
{
    if (*(unsigned *)given > 0)
        __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *update(void *given)
{
    __atomic_fetch_or(&y, *(unsigned *)given & 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&y, 3, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    unsigned b = (unsigned)heddle_range(0, 3, "b");
    pthread_create(&threads[0], NULL, add, &b);
    pthread_create(&threads[1], NULL, update, &b);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
