// After the barrier both write: it orders nothing there.
// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>

static pthread_barrier_t barrier;
static int value;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    value = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
