// A consumer that trusts a flag; whether the producer sets it first is an input.
// EXPECT: finding assertion
// INPUTS: early != 0
// TESTS: dpor=6 dfs=10 unfold=5 contextual=4 naive=5
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int flag, data, early;

static void *first(void *unused)
{
    if (early) {
        __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&data, 9, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&data, 9, __ATOMIC_SEQ_CST);
        __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

static void *second(void *unused)
{
    if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
        assert(__atomic_load_n(&data, __ATOMIC_SEQ_CST) == 9);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    early = heddle_int("early");
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
