/* Two threads and a lock in the heap, which is freed when they have ended. */
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *add(void *argument)
{
    struct counter *counter = argument;
    pthread_mutex_lock(&counter->lock);
    counter->value++;
    pthread_mutex_unlock(&counter->lock);
    return NULL;
}

int main(void)
{
    struct counter *counter = malloc(sizeof *counter);
    pthread_t threads[2];
    pthread_mutex_init(&counter->lock, NULL);
    counter->value = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, counter);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(counter);
    return 0;
}
