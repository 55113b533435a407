// Three threads, each with its side of one input.
// EXPECT: finding assertion
// INPUTS: n == 6
// TESTS: dpor=9 unfold=9 contextual=9
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int n, x;

static void *work(void *number)
{
    if (n % 2 == 0 && (long)number == 0)
        __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    if (n % 3 == 0 && (long)number == 1)
        __atomic_fetch_add(&x, 10, __ATOMIC_SEQ_CST);
    if (n > 5 && (long)number == 2)
        __atomic_fetch_add(&x, 100, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    n = (int)heddle_range(1, 6, "n");
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(x != 111);
    return 0;
}
