// T1 unlocks what T0 has locked.
// EXPECT: finding lock-discipline
// TESTS: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlocks(void *unused)
{
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&a, NULL, unlocks, NULL);
    pthread_join(a, NULL);
}
