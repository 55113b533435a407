// Operations on different mutexes commute: one execution.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int count[2][16];

static void *add(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    count[i][0]++;
    pthread_mutex_unlock(&lock[i]);
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
