// The last worker of a pool counts down under the pool's lock. The main thread sees that and frees the pool, with the
// lock in it: before the worker gives the lock back, or after (the one order that does no harm).
// EXPECT: finding use-after-free
// TESTS: 8
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    atomic_int alive;
    pthread_mutex_t lock;
};

static void *work(void *argument)
{
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    pool->alive--;
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pool *pool = malloc(sizeof *pool);
    atomic_init(&pool->alive, 1);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_create(&t, NULL, work, pool);
    pthread_detach(t);
    if (!pool->alive)
        free(pool);
}
