// An amount that is an input is added by two threads without a lock.
// EXPECT: finding assertion
// INPUTS: amount != 0
// TESTS: dpor=6 dfs=38 unfold=6 contextual=6 naive=18
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int total, amount;

static void *first(void *unused)
{
    int old = total;
    total = old + amount;
    return unused;
}

static void *second(void *unused)
{
    int old = total;
    total = old + amount;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    amount = heddle_int("amount");
    heddle_assume(amount >= 0 && amount < 100);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 2 * amount);
    return 0;
}
