// Two threads with long local work and 3 shared accesses each: local work costs no executions.
// EXPECT: complete
// RUN: -DSTEPS=10 TESTS=8 DFS=yes
// RUN: -DSTEPS=100000 TESTS=8
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint x;
static unsigned result[2];

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
    unsigned me = (unsigned)(long)number, s = work(me + atomic_load(&x));
    atomic_store(&x, me + 1);
    s = work(s);
    result[me] = s + atomic_load(&x);
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
