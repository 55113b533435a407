/* In the first execution that is counted (see count_in_register.c) there are two threads that lose an update, in the others one. */
#include <assert.h>
#include <pthread.h>

int next_count(void);

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused)
{
    pthread_mutex_lock(&mutex);
    int before = total;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    total = before + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    int count = next_count() ? 1 : 2;
    pthread_t threads[2];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    assert(total == count);
    return 0;
}
