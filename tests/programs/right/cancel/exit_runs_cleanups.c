// pthread_exit runs cleanup handlers and then the destructors of values.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int order;

static void note(void *digit)
{
    order = order * 10 + (int)(long)digit;
}

static void leaves(void)
{
    pthread_cleanup_push(note, (void *)1L);
    pthread_exit((void *)9L);
    pthread_cleanup_pop(0);
}

static void *works(void *unused)
{
    pthread_setspecific(key, (void *)3L);
    pthread_cleanup_push(note, (void *)2L);
    leaves();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_key_create(&key, note);
    pthread_create(&t, NULL, works, NULL);
    pthread_join(t, &result);
    assert(result == (void *)9L && order == 123);
}
