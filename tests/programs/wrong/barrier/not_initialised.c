// EXPECT: finding lock-discipline
// TESTS: 1
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_wait(&barrier);
}
