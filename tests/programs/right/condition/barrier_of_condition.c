// A barrier made of a mutex and a condition variable.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived;
static int before[2][16];

static void *meet(void *number)
{
    long me = (long)number;
    before[me][0] = 1;
    pthread_mutex_lock(&lock);
    if (++arrived == 2)
        pthread_cond_broadcast(&changed);
    while (arrived < 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    assert(before[1 - me][0]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, meet, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
