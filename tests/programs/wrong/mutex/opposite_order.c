// Two locks in opposite orders: two good orders and the deadlock.
// EXPECT: finding deadlock
// TESTS: 3
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int x;

static void *work(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[1 - i]);
    x++;
    pthread_mutex_unlock(&lock[1 - i]);
    pthread_mutex_unlock(&lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
