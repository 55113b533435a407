// The two calls race in 64 cells of one execution; what else is wrong in it is found all the same.
// EXPECT: finding data-race
// EXPECT: finding assertion at 23
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char bytes[512];

static void *fill(void *unused)
{
    memset(bytes, 1, sizeof bytes);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, fill, NULL);
    memset(bytes, 2, sizeof bytes);
    assert(bytes[0] == 1);
    pthread_join(t, NULL);
    return 0;
}
