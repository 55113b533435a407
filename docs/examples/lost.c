#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int ready;

static void *get_ready(void *unused)
{
    ready = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, get_ready, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
