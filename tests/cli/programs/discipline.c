#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static sem_t published;
static int table, after;

static void *updater(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    table++;
    pthread_mutex_unlock(&second);
    table++;
    pthread_mutex_unlock(&first);
    sem_post(&published);
    return unused;
}

static void *stranger(void *unused)
{
    sem_wait(&published);
    pthread_mutex_lock(&second);
    table++;
    pthread_mutex_unlock(&second);
    return unused;
}

/* The semaphore orders all accesses: no data race, but no lock protects them either. */
int main(void)
{
    pthread_t a, b;
    sem_init(&published, 0, 0);
    pthread_create(&a, NULL, updater, NULL);
    pthread_create(&b, NULL, stranger, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    after = table;
    return after != 3;
}
