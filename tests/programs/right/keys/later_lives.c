// A thread in the slot of an earlier one finds all keys without a value, whatever the earlier one has set, and its
// destructors run for its own values.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { KEYS = 60, THREADS = 40 };

static pthread_key_t keys[KEYS];
static int values[KEYS], destroyed;

static void destroy(void *value)
{
    *(int *)value = 0;
    destroyed++;
}

static void *set_all(void *unused)
{
    for (int i = 0; i < KEYS; i++) {
        assert(!pthread_getspecific(keys[i]));
        values[i] = 1;
        assert(!pthread_setspecific(keys[i], &values[i]));
    }
    return unused;
}

int main(void)
{
    for (int i = 0; i < KEYS; i++)
        assert(!pthread_key_create(&keys[i], destroy));
    for (int n = 1; n <= THREADS; n++) {
        pthread_t t;
        pthread_create(&t, NULL, set_all, NULL);
        pthread_join(t, NULL);
        assert(destroyed == n * KEYS);
        for (int i = 0; i < KEYS; i++)
            assert(!values[i]);
    }
}
