// Three points where a thread can be cancelled: before each or not at all.
// EXPECT: complete
// TESTS: 4
#include <assert.h>
#include <pthread.h>

static int done;

static void *works(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_testcancel();
        done++;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, works, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert((result == PTHREAD_CANCELED) == (done < 3));
}
