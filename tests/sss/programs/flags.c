/* N threads, each of which sets its own flag under one lock and signals it; main waits for each in turn. Every signal is
 * sent with the mutex held and wakes at most one thread, so each thread is a single section (docs/algorithms/sss.md).
 * EARLY: the first thread signals without the mutex. SECOND: another thread waits for the first flag, too. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed[N];
static int flags[N];

static void *set(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock);
    flags[i] = 1;
#ifdef EARLY
    if (i)
        pthread_cond_signal(&changed[i]);
    pthread_mutex_unlock(&lock);
    if (!i)
        pthread_cond_signal(&changed[i]);
#else
    pthread_cond_signal(&changed[i]);
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

static void await(long i)
{
    pthread_mutex_lock(&lock);
    while (!flags[i])
        pthread_cond_wait(&changed[i], &lock);
    pthread_mutex_unlock(&lock);
}

#ifdef SECOND
static void *wait_for_first(void *unused)
{
    await(0);
    return unused;
}
#endif

int main(void)
{
    pthread_t threads[N];
#ifdef SECOND
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_first, NULL);
#endif
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (long i = 0; i < N; i++)
        await(i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
#ifdef SECOND
    pthread_join(waiter, NULL); /* may wait for ever: the one signal wakes one of the two */
#endif
    return 0;
}
