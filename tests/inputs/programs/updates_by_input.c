// Two updates that change something or only look, as one input says: if they only look, their order does not matter.
// EXPECT: complete
// TESTS: dpor=3 dfs=12 unfold=4 contextual=4 naive=8
// BLOCKED: 1
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static unsigned y;

static void *update(void *given)
{
    __atomic_fetch_or(&y, *(unsigned *)given & 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    unsigned b = (unsigned)heddle_range(0, 3, "b");
    pthread_create(&threads[0], NULL, update, &b);
    pthread_create(&threads[1], NULL, update, &b);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
