// Ten thousand threads, one after the other: the limit counts those that have not been joined.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    for (long i = 0; i < 10000; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, work, (void *)i);
        pthread_join(thread, &result);
        assert(result == (void *)i);
    }
    assert(count == 10000);
    return 0;
}
