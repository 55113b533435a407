// The status is an input's, with no branch on it: of main, and of a thread that exits.
// EXPECT: finding exit-status at 16
// INPUTS: m == 3
// EXPECT: finding exit-status at 25
// INPUTS: n == 6
// TESTS: dpor=3 dfs=3 unfold=4 contextual=4 naive=4
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static void *leave(void *unused)
{
    int m = (int)heddle_range(0, 3, "m");
    if (m < 3)
        return unused;
    exit(m / 3);
}

int main(void)
{
    pthread_t t;
    int n = (int)heddle_range(0, 6, "n");
    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    return n / 6 * 256 + n / 6;
}
