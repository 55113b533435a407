// Three threads, three locks, each the next one's: 6 orders and the deadlock.
// EXPECT: finding deadlock
// TESTS: 7
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock[3];

static void *work(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[(i + 1) % 3]);
    pthread_mutex_unlock(&lock[(i + 1) % 3]);
    pthread_mutex_unlock(&lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
