/* Every way to wait for what never comes: -DSEMAPHORE, -DBARRIER, -DLOOP, -DREADERS. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int go;

static void *waiter(void *arg)
{
#if defined SEMAPHORE
    sem_wait(&semaphore);
#elif defined BARRIER
    pthread_barrier_wait(&barrier);
#elif defined LOOP
    while (!go) {
    }
#elif defined READERS
    pthread_rwlock_wrlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_join(t, NULL);
    return 0;
}
