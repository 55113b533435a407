// A main without a result has no exit status: what its last call has left in a register is none.
// CFLAGS: -Wno-main-return-type
// EXPECT: complete
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int count(void)
{
    static int calls;
    pthread_mutex_lock(&lock);
    int now = ++calls;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *worker(void *unused)
{
    count();
    return unused;
}

void main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    count();
}
