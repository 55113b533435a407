// main reads before it joins.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static int x, seen;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, set, NULL);
    seen = x;
    pthread_join(a, NULL);
}
