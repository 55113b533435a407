// Readers commute with each other: one trace, and all may be inside at once.
// EXPECT: complete
// TESTS: 1
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value = 7;
static int seen[4];

static void *reader(void *slot)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    *(int *)slot = value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, reader, &seen[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return seen[0] + seen[3] == 14 ? 0 : 1;
}
