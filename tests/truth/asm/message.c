// A store and a flag, both in assembly: the other thread sees the value, and where
// the flag is set too early it may not.
// RUN: EXPECT=complete TESTS=2
// RUN: -DEARLY FINDING=assertion
#include <assert.h>
#include <pthread.h>

static long value, flag;

static long load(const long *p)
{
    long v;
    __asm__ volatile("movq %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}

static void store(long *p, long v)
{
    __asm__ volatile("movq %1, %0\n\tmfence" : "=m"(*p) : "ir"(v) : "memory");
}

static void *send(void *u)
{
#ifdef EARLY
    store(&flag, 1);
    store(&value, 5);
#else
    store(&value, 5);
    store(&flag, 1);
#endif
    return u;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    if (load(&flag))
        assert(load(&value) == 5);
    pthread_join(t, NULL);
}
