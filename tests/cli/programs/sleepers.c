/* SLEEPERS threads wait at one condition variable at once. One is woken, then the others. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t awake = PTHREAD_COND_INITIALIZER, asleep = PTHREAD_COND_INITIALIZER;
static int sleepers;

static void *sleep_here(void *unused)
{
    pthread_mutex_lock(&lock);
    sleepers++;
    pthread_cond_signal(&asleep);
    pthread_cond_wait(&awake, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[SLEEPERS];
    for (int i = 0; i < SLEEPERS; i++)
        pthread_create(&threads[i], NULL, sleep_here, NULL);
    pthread_mutex_lock(&lock);
    while (sleepers < SLEEPERS)
        pthread_cond_wait(&asleep, &lock);
    pthread_cond_signal(&awake);
    pthread_cond_broadcast(&awake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(threads[i], NULL);
}
