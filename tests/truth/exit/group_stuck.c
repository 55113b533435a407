// A watchdog ends the process while two threads wait for each other: both are told.
// EXPECT: finding exit-status at 32
// EXPECT: finding deadlock
// RANDOM: 400
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
    both(&a, &b);
    return unused;
}

static void *other(void *unused)
{
    both(&b, &a);
    return unused;
}

static void *watch(void *unused)
{
    exit(3);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_create(&t[2], NULL, watch, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
