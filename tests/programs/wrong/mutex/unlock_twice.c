// The second unlock of the same mutex.
// EXPECT: finding lock-discipline at 13
// TESTS: 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);

    pthread_mutex_unlock(&lock);
}
