// Sleeping long does not mean being last: both orders are explored.
// EXPECT: complete
// TESTS: 2
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *late(void *unused)
{
    sleep(10);
    pthread_mutex_lock(&lock);
    order = order * 10 + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec short_time = { 0, 1000 };
    pthread_create(&t, NULL, late, NULL);
    nanosleep(&short_time, NULL);
    usleep(5);
    pthread_mutex_lock(&lock);
    order = order * 10 + 2;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return order == 12 || order == 21 ? 0 : 1;
}
