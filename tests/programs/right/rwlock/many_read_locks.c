// Read locks commute: one trace, and dpor takes time in proportion to its length.
// EXPECT: complete
// TESTS: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_often(void *arg)
{
    for (int i = 0; i < 9000; i++) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t reader;
    pthread_create(&reader, NULL, read_often, NULL);
    read_often(NULL);
    pthread_join(reader, NULL);
    return 0;
}
