// Two withdrawals that each look at the balance first.
// EXPECT: finding assertion
// INPUTS: balance - a >= 0 and balance - b >= 0 and balance - a - b < 0
// TESTS: dpor=13 dfs=99 unfold=13 contextual=13 naive=36
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int balance, sums[2];

static void *first(void *unused)
{
    int have = balance;
    if (have >= sums[0])
        balance -= sums[0];
    return unused;
}

static void *second(void *unused)
{
    int have = balance;
    if (have >= sums[1])
        balance -= sums[1];
    return unused;
}

int main(void)
{
    pthread_t a, b;
    balance = (int)heddle_range(0, 1000, "balance");
    sums[0] = (int)heddle_range(1, 1000, "a");
    sums[1] = (int)heddle_range(1, 1000, "b");
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0);
    return 0;
}
