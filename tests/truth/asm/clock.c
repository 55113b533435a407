// The processor's clock and its identification are the same in every execution. Branches on a clock are named.
// EXPECT: bound
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_long sum;

static unsigned long now(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

static void *ask(void *u)
{
    unsigned a = 1, b, c = 0, d;
    unsigned long before = now(), after = __rdtsc();
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    assert(after > before && b >> 24 == 0);
    atomic_fetch_add(&sum, (long)(after - before));
    for (unsigned long i = 0; i < before % 7; i++)
        atomic_fetch_add(&sum, 0);
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, ask, NULL);
    pthread_create(&b, NULL, ask, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
