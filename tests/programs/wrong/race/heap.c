// A race on the heap.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <stdlib.h>

static int *x;

static void *one(void *unused)
{
    x[3] = 1;
    return unused;
}

static void *two(void *unused)
{
    x[3] = 2;
    return unused;
}

int main(void)
{
    x = calloc(4, sizeof *x);
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    free(x);
}
