// A branch on an input in the middle of an atomic block.
// EXPECT: complete
// TESTS: dpor=4 dfs=4 unfold=4 contextual=4 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int x, y, n;

static void *first(void *unused)
{
    heddle_atomic_begin();
    x++;
    if (n == 8)
        y++;
    heddle_atomic_end();
    return unused;
}

static void *second(void *unused)
{
    heddle_atomic_begin();
    x++;
    y += 2;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = heddle_int("n");
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    assert(y == 2 + (n == 8));
    return 0;
}
