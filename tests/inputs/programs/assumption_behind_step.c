// What another thread reads decides whether it assumes anything: inputs for which its assumption fails are
// needed where it reads something else. dpor once gave them up with the assumption.
// EXPECT: finding assertion
// INPUTS: n > 0
// TESTS: dpor=2 dfs=4 unfold=2 contextual=2 naive=3
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static _Atomic int x;
static int n;

static void *reader(void *unused)
{
    if (!x)
        heddle_assume(n < 1);
    else
        assert(0);
    return unused;
}

static void *writer(void *unused)
{
    if (n)
        x = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = (int)heddle_range(0, 3, "n");
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
