/* BoundedInvis: a loop inside a section that only another section could end. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, rounds;

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!done)
        rounds++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *ends(void *unused)
{
    pthread_mutex_lock(&lock);
    done = 1;
    rounds++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, ends, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
