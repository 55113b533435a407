/* A thread waits in a loop for a flag that a lock protects. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag, value;

static void *waiter(void *unused)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = flag;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    assert(value == 5);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&lock);
    value = 5;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
