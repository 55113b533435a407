// The same with a lock around each access: 6! / (3! 3!) orders.
// EXPECT: complete
// RUN: -DSTEPS=10 TESTS=20 DFS=yes
// RUN: -DSTEPS=100000 TESTS=20
#include <pthread.h>

static unsigned x, result[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned work(unsigned s)
{
    for (int i = 0; i < STEPS / 2; i++) {
        s = s * 1664525u + 1013904223u;
        s ^= s >> 13;
    }
    return s;
}

static void *run(void *number)
{
    unsigned me = (unsigned)(long)number, s = me;
    for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&lock);
        s += x;
        x = k == 1 ? me : x;
        pthread_mutex_unlock(&lock);
        s = work(s);
    }
    result[me] = s;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
