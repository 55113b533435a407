// The watcher is created after the first thread was joined, and races with the second one in the same slot.
// EXPECT: finding data-race
// TESTS: 2
// DFS: yes
#include <pthread.h>

static int shared;

static void *nothing(void *argument)
{
    return argument;
}

static void *work(void *argument)
{
    shared++;
    return argument;
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    return thread;
}

static int look(void)
{
    return shared;
}

static void *watch(void *argument)
{
    look();
    return argument;
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        pthread_join(start(nothing), NULL);
    pthread_t other = start(nothing);
    pthread_join(start(work), NULL);
    pthread_t watcher = start(watch), second = start(work);
    pthread_join(watcher, NULL);
    pthread_join(second, NULL);
    pthread_join(other, NULL);
    return 0;
}
