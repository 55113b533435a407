// Destructors run when a thread ends, again if they set a value again, at most
// four times; deleted keys have none.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static pthread_key_t again, plain, deleted;
static int runs_again, runs_plain;

static void sets_again(void *value)
{
    runs_again++;
    pthread_setspecific(again, value);
}

static void counts(void *value)
{
    runs_plain += *(int *)value;
}

static void *work(void *unused)
{
    static int one = 1;
    assert(pthread_getspecific(plain) == NULL);
    pthread_setspecific(again, &one);
    pthread_setspecific(plain, &one);
    pthread_setspecific(deleted, &one);
    pthread_key_delete(deleted);
    assert(pthread_getspecific(plain) == &one);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&again, sets_again);
    pthread_key_create(&plain, counts);
    pthread_key_create(&deleted, counts);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(runs_again == 4 && runs_plain == 1);
}
