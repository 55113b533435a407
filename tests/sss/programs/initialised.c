/* A thread initialises a table without its lock, and says so. With TOLD, the other thread waits for that. */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static struct table {
    pthread_mutex_t lock;
    int rows, sum;
} table = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static sem_t ready;

static void *initialises(void *unused)
{
#ifndef UNANNOUNCED
    heddle_init_thread(&table.rows, 2 * sizeof(int));
#endif
    table.rows = 2;
    table.sum = 0;
    sem_post(&ready);
    pthread_mutex_lock(&table.lock);
    table.sum += table.rows;
    pthread_mutex_unlock(&table.lock);
    return unused;
}

static void *uses(void *unused)
{
#ifdef TOLD
    sem_wait(&ready);
#endif
    pthread_mutex_lock(&table.lock);
    table.sum += table.rows;
    pthread_mutex_unlock(&table.lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&ready, 0, 0);
    pthread_create(&a, NULL, initialises, NULL);
    pthread_create(&b, NULL, uses, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
