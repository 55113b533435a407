// T1 frees a block with a mutex in it that the main thread locks: before, while
// it is locked, or after (the one order that does no harm).
// EXPECT: finding use-after-free
// TESTS: 3
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *frees(void *unused)
{
    free(mutex);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_t *mine = mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mine, NULL);
    pthread_create(&t, NULL, frees, NULL);
    pthread_mutex_lock(mine);
    pthread_mutex_unlock(mine);
    pthread_join(t, NULL);
}
