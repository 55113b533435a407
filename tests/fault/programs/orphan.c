/* The process that starts executions is killed again and again, but not at once. With RACE, there is
 * something to be found until then. */
#include <pthread.h>

void kill_parent(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef RACE
static int raced;
#endif

static void *thread(void *unused)
{
#ifdef RACE
    raced = 1;
#endif
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    kill_parent();
    return 0;
}
