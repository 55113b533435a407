/* A lock that is destroyed while its holder has yet to release it: the release must not come too early. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t finished;
static int inside;

static void *holder(void *unused)
{
    pthread_mutex_lock(&lock);
    sem_post(&finished);
    inside = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *destroyer(void *unused)
{
    sem_wait(&finished);
    pthread_mutex_destroy(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&finished, 0, 0);
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, destroyer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
