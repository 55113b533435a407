// A thread ends while it holds a mutex. A thread in its slot is not the owner. The report numbers threads by creation.
// EXPECT: finding lock-discipline at 28
// TESTS: 1
// DFS: yes
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const void *places[2];

static void *nothing(void *argument)
{
    return argument;
}

static void *take(void *argument)
{
    places[0] = &argument;
    pthread_mutex_lock(&mutex);
    return argument;
}

static void *give(void *argument)
{
    places[1] = &argument;
    if (places[0] != places[1])
        return argument;
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void run(void *(*start)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        run(nothing);
    run(take);
    run(give);
    return 0;
}
