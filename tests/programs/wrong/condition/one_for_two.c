// Threads that wait for different things at one condition variable: a signal for a thread that has a job to hand over wakes the
// one that waits for all jobs to end, and is lost (as in thread pools that signal a bounded queue and its end alike).
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 636
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static int full, busy, end;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!full && !end)
            pthread_cond_wait(&filled, &lock);
        if (!full)
            break;
        full = 0;
        busy = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        busy = 0;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *submit(void *unused)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock);
    full = 1;
    pthread_cond_signal(&filled);
    while (full || busy)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t worker, submitters[2];
    pthread_create(&worker, NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&submitters[i], NULL, submit, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(submitters[i], NULL);
    pthread_mutex_lock(&lock);
    end = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return 0;
}
