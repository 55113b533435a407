// Both hold a lock, but not the same.
// EXPECT: finding data-race
// TESTS: 4
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int x;

static void *add(void *number)
{
    pthread_mutex_lock(&lock[(long)number]);
    x++;
    pthread_mutex_unlock(&lock[(long)number]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
