// A try-write-lock against a writer: before it, while it holds, or after it.
// EXPECT: complete
// TESTS: 3
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *tries(void *unused)
{
    int error = pthread_rwlock_trywrlock(&lock);
    if (!error) {
        value++;
        pthread_rwlock_unlock(&lock);
    } else {
        assert(error == EBUSY);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, tries, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(value == 1 || value == 2);
}
