// Two of three arrive.
// EXPECT: finding deadlock
// TESTS: 1
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
}
