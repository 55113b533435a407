// A thread uses a number that another thread has closed and made again: it has been told, in one of many ways.
// EXPECT: complete
// DFS: yes
// RUN: -DWHICH=1 TESTS=2
// RUN: -DWHICH=2 TESTS=1
// RUN: -DWHICH=3 TESTS=2
// RUN: -DWHICH=4 TESTS=1
// RUN: -DWHICH=5 TESTS=1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int file, messages[2];
static atomic_int published;

static void *writes(void *unused)
{
    eventfd_t one = 1;
#if WHICH == 1 /* a lock */
    pthread_mutex_lock(&lock);
    assert(write(file, &one, sizeof one) == sizeof one);
    pthread_mutex_unlock(&lock);
#elif WHICH == 2 /* a semaphore */
    sem_wait(&ready);
    assert(write(file, &one, sizeof one) == sizeof one);
#elif WHICH == 3 /* an atomic variable */
    if (atomic_load(&published))
        assert(write(atomic_load(&published), &one, sizeof one) == sizeof one);
#elif WHICH == 4 /* a message */
    int number;
    read(messages[0], &number, sizeof number);
    assert(write(number, &one, sizeof one) == sizeof one);
#elif WHICH == 5 /* its own creation */
    assert(write(file, &one, sizeof one) == sizeof one);
#endif
    return unused;
}

static void *idles(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t, other;
    sem_init(&ready, 0, 0);
    pipe(messages);
    file = eventfd(0, 0);
    pthread_create(&other, NULL, idles, NULL);
#if WHICH != 5
    pthread_create(&t, NULL, writes, NULL);
#endif
    pthread_mutex_lock(&lock);
    close(file);
    file = eventfd(0, 0);
    pthread_mutex_unlock(&lock);
    sem_post(&ready);
    atomic_store(&published, file);
    write(messages[1], &file, sizeof file);
#if WHICH == 5
    pthread_create(&t, NULL, writes, NULL);
#endif
    pthread_join(t, NULL);
    pthread_join(other, NULL);
}
