// Six threads at a lock, and an input behind an atomic block: with the default explorer unfold and dpor take turns, and
// dpor has finished first.
// EXPECT: finding assertion
// INPUTS: n == 1
// TESTS: default=7160
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { THREADS = 6 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;

static void *locker(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *writer(void *unused)
{
    x = 0;
    return unused;
}

int main(void)
{
    pthread_t others[THREADS], t;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&others[i], NULL, locker, NULL);
    pthread_create(&t, NULL, writer, NULL);
    heddle_atomic_begin();
    x = 3;
    heddle_atomic_end();
    long n = heddle_range(0, 2, "n");
    assert(!(n == 1 && x == 0));
    pthread_join(t, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(others[i], NULL);
    return 0;
}
