/* READERS read locks of one lock at once; then it can be locked for writing. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *look(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(value < 2);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock));
    for (int i = 0; i < READERS; i++)
        pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
}
