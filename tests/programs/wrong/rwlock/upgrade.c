// A reader that wants to write waits for itself.
// EXPECT: finding deadlock
// TESTS: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, upgrade, NULL);
    pthread_join(a, NULL);
}
