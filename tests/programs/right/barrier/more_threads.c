// Four threads at a barrier for two: they pass in pairs, whose order of
// arrival matters now: 4! orders.
// EXPECT: complete
// TESTS: 24
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}
