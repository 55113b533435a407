// One thread frees what the other may still use.
// EXPECT: finding use-after-free
// OPTIONS: --races=off
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static int seen;

static void *frees(void *unused)
{
    free(shared);
    return unused;
}

static void *uses(void *unused)
{
    seen = *shared;
    return unused;
}

int main(void)
{
    shared = calloc(1, sizeof *shared);
    pthread_t p, q;
    pthread_create(&p, NULL, frees, NULL);
    pthread_create(&q, NULL, uses, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
