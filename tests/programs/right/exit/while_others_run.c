// main returns while a thread has two operations to do: 0, 1 or 2 are done.
// EXPECT: complete
// TESTS: 3
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *works(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, works, NULL);
    return 0;
}
