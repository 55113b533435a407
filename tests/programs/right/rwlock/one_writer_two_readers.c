// Each reader sees the value before or after the writer: 2 × 2 traces.
// EXPECT: complete
// TESTS: 4
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, copy;

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value = 1;
    copy = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(value == copy);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
}
