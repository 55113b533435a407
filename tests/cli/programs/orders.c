// Seven threads take a lock once each: 5040 orders.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *argument)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[7];
    for (int i = 0; i < 7; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 7; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
