// T1 frees a block with two locks and a counter in it. The main thread, which does not wait for it, holds the second
// lock: freeing is one step, so each use of the block comes before all of it or after.
// EXPECT: finding use-after-free
// TESTS: 6
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    atomic_int ready;
    pthread_mutex_t first, second;
};

static void *frees(void *argument)
{
    struct pair *pair = argument;
    if (pair->ready)
        free(pair);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pair *pair = malloc(sizeof *pair);
    atomic_init(&pair->ready, 0);
    pthread_mutex_init(&pair->first, NULL);
    pthread_mutex_init(&pair->second, NULL);
    pthread_create(&t, NULL, frees, pair);
    pthread_detach(t);
    pthread_mutex_lock(&pair->first);
    pthread_mutex_lock(&pair->second);
    pair->ready = 1;
    pthread_mutex_unlock(&pair->second);
    pthread_mutex_unlock(&pair->first);
}
