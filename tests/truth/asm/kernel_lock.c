// A ticket lock with the kernel's note of its lock prefix, a conditional decrement
// and a compare-and-exchange loop.
// EXPECT: complete
#include <assert.h>
#include <pthread.h>

#define LOCK ".pushsection .discard.locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "

static unsigned short next, now;
static int counter = 2, sum;

static void lock(void)
{
    unsigned short mine = 1, seen;
    __asm__ volatile(LOCK "xaddw %0, %1" : "+q"(mine), "+m"(next) : : "memory", "cc");
    for (;;) {
        __asm__ volatile("movw %1, %0" : "=q"(seen) : "m"(now) : "memory");
        if (seen == mine)
            return;
        __asm__ volatile("pause");
    }
}

static void unlock(void)
{
    __asm__ volatile(LOCK "incw %0" : "+m"(now) : : "memory", "cc");
}

static int was_last(void)
{
    unsigned char zero;
    __asm__ volatile(LOCK "decl %0; sete %1" : "+m"(counter), "=qm"(zero) : : "memory", "cc");
    return zero;
}

static void *work(void *u)
{
    lock();
    sum++;
    unlock();
    if (was_last())
        assert(sum == 2);
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
