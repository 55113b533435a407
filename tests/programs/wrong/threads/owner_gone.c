// A thread ends while it holds a mutex. A thread in its slot is not the owner. The report numbers threads by creation.
// EXPECT: finding lock-discipline at 29
// TESTS: 1
// DFS: yes
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t places[2]; /* pages of their stacks */

static void *nothing(void *argument)
{
    return argument;
}

static void *take(void *argument)
{
    places[0] = (uintptr_t)&argument >> 12;
    pthread_mutex_lock(&mutex);
    return argument;
}

static void *give(void *argument)
{
    places[1] = (uintptr_t)&argument >> 12;
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
