// Two threads behind the 64th block each other, and the process exits: a deadlock of threads with high numbers.
// EXPECT: finding deadlock
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *argument)
{
    return argument;
}

static void *one(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return argument;
}

static void *other(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return argument;
}

int main(void)
{
    pthread_t threads[72];
    for (int i = 0; i < 70; i++)
        pthread_create(&threads[i], NULL, nothing, NULL);
    pthread_create(&threads[70], NULL, one, NULL);
    pthread_create(&threads[71], NULL, other, NULL);
    exit(0);
}
