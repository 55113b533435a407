// A compare-and-swap that puts back what it expects changes nothing, but whether it succeeds depends on an
// input. Main may leave before it.
// EXPECT: complete
// TESTS: dpor=8 dfs=14 unfold=6 contextual=4 naive=6
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int y;
static int n;

static void *swapper(void *unused)
{
    int expected = 1;
    y = n;
    atomic_compare_exchange_strong(&y, &expected, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    n = (int)heddle_range(0, 3, "n");
    pthread_create(&t, NULL, swapper, NULL);
    return y == 7;
}
