// main and another thread take two locks in opposite orders, between the end of one thread and the start of the next in
// the same slot: a deadlock in which that slot is at its end.
// EXPECT: finding deadlock
// TESTS: 6
// DFS: yes
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *argument)
{
    return argument;
}

static void *work(void *argument)
{
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    return argument;
}

static void *cross(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    return thread;
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        pthread_join(start(nothing), NULL);
    pthread_t first = start(work), second = start(work);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_t crosser = start(cross);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    first = start(work);
    pthread_join(first, NULL);
    pthread_join(crosser, NULL);
    return 0;
}
