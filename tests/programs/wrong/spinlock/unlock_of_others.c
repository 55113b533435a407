// EXPECT: finding lock-discipline
#include <pthread.h>

static pthread_spinlock_t lock;

static void *unlocks(void *unused)
{
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&t, NULL, unlocks, NULL);
    pthread_join(t, NULL);
}
