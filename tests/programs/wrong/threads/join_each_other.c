// Two threads join each other.
// EXPECT: finding deadlock
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t threads[2];
static atomic_int created;

static void *join_other(void *number)
{
    while (!atomic_load(&created)) {
    }
    pthread_join(threads[1 - (long)number], NULL);
    return NULL;
}

int main(void)
{
    pthread_create(&threads[0], NULL, join_other, (void *)0);
    pthread_create(&threads[1], NULL, join_other, (void *)1);
    atomic_store(&created, 1);
    pthread_exit(NULL);
}
