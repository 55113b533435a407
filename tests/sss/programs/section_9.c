/* Section 9 of the paper: v is used without the lock after it was published. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t published;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int v;

static void *first(void *unused)
{
    v = 0;
    sem_post(&published);
    v = 1;
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&published);
    pthread_mutex_lock(&lock);
    v = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&published, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
