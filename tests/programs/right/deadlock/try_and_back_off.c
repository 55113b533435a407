// Opposite orders, but the second lock is tried and given back: no deadlock.
// EXPECT: complete
// DFS: yes
// TESTS: 7
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int done[2][16];

static void *work(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    if (pthread_mutex_trylock(&lock[1 - i]) == 0) {
        done[i][0] = 1;
        pthread_mutex_unlock(&lock[1 - i]);
    }
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
