// Before, while it is held, after.
// EXPECT: complete
// TESTS: 3
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *add(void *unused)
{
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, add, NULL);
    if (pthread_spin_trylock(&lock) == 0) {
        count++;
        assert(pthread_spin_trylock(&lock) == EBUSY);
        pthread_spin_unlock(&lock);
    }
    pthread_join(t, NULL);
}
