// A lock of a function that returns without unlocking it. The next call has a new lock in the same place, which it does
// not hold.
// CFLAGS: -fno-inline
// EXPECT: finding lock-discipline
#include <pthread.h>

static void use(int locks)
{
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    if (locks)
        pthread_rwlock_rdlock(&lock);
    else
        pthread_rwlock_unlock(&lock);
}

static void *both(void *unused)
{
    use(1);
    use(0);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, both, NULL);
    both(NULL);
    pthread_join(a, NULL);
    return 0;
}
