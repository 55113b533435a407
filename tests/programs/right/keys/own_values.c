// Every thread has its own value: nothing is shared.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *work(void *value)
{
    pthread_setspecific(key, value);
    assert(pthread_getspecific(key) == value);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int values[3];
    pthread_key_create(&key, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, &values[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(pthread_getspecific(key) == NULL);
}
