/* A table with one lock: 4 threads make 3 updates each of their own rows; then something that needs other orders.
 *   ORDERED   semaphores order two accesses to a variable, without a lock
 *   FAILS     a thread looks at the row of another, and fails between two of its updates */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rows[4];
static sem_t ready;
static long handed_over;

static void finish(long i)
{
#ifdef ORDERED
    if (i == 0) {
        handed_over = 1;
        sem_post(&ready);
    }
    if (i == 1) {
        sem_wait(&ready);
        handed_over = 2;
    }
#endif
#ifdef FAILS
    pthread_mutex_lock(&lock);
    assert(i != 2 || rows[3] != 12);
    pthread_mutex_unlock(&lock);
#endif
    (void)i;
}

static void *update(void *which)
{
    long i = (long)which;
    for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&lock);
        for (long n = 0; n < i + k; n++)
            rows[i] += 2;
        rows[i]--;
        pthread_mutex_unlock(&lock);
    }
    finish(i);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    sem_init(&ready, 0, 0);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, update, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
