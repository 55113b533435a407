// An atomic block touches what the other thread writes only for one value: on that side it comes before or after it.
// EXPECT: finding assertion
// INPUTS: a == 3
// TESTS: dpor=3 dfs=4 unfold=3 contextual=3 naive=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *writer(void *unused)
{
    y = 1;
    return unused;
}

static void *block(void *given)
{
    heddle_atomic_begin();
    x = 1;
    if (*(int *)given == 3)
        y = 2;
    heddle_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int a = (int)heddle_range(0, 3, "a");
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, block, &a);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (x)
        assert(a != 3 || y == 2);
    return 0;
}
