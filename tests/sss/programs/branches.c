/* Section 6 of the paper: two threads that hold a read lock read x2 or x3, depending on x1. Which of them a composed step
 * will read is not known before it is run, so its bound has both, and the thread that updates x3 interferes with it. The
 * visible operation on its own has no such bound. With ONE_SIDE, x3 is not in the bound either. */
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t outer = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static sem_t alone;
static int x1 = 1, x2, x3;

static void *reads(void *unused)
{
    int found = 0;
    pthread_rwlock_rdlock(&outer);
    pthread_mutex_lock(&inner);
    if (x1) {
        if (x2)
            found = 1;
#ifndef ONE_SIDE
    } else {
        if (x3)
            found = 2;
#endif
    }
    pthread_mutex_unlock(&inner);
    pthread_rwlock_unlock(&outer);
    return found ? &alone : unused;
}

static void *updates(void *unused)
{
    sem_post(&alone);
    sem_post(&alone);
    pthread_rwlock_wrlock(&outer);
    x3 = 1;
    pthread_rwlock_unlock(&outer);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&alone, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? reads : updates, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
