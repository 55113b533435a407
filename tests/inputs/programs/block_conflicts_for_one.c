// The block changes what another thread reads, for one input only. dpor-sleep runs it first with other inputs, for
// which that thread may go on sleeping.
// EXPECT: finding assertion at 16
// INPUTS: n == 3
// TESTS: dpor=7 dfs=13 unfold=6 contextual=3 naive=6 dpor-sleep=7
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int n;

static void *read_x(void *unused)
{
    assert(!x);
    return unused;
}

static void *read_y(void *unused)
{
    (void)y;
    return unused;
}

static void *write_both(void *unused)
{
    heddle_atomic_begin();
    y = 1;
    if (n == 3)
        x = 1;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t[3];
    n = (int)heddle_range(0, 3, "n");
    pthread_create(&t[0], NULL, read_x, NULL);
    pthread_create(&t[1], NULL, read_y, NULL);
    pthread_create(&t[2], NULL, write_both, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
