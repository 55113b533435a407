// Two words exchanged at once: of two that expect the same, one succeeds.
// EXPECT: complete
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint64_t pair[2] __attribute__((aligned(16)));
static int won[2];

static void *take(void *u)
{
    uint64_t low = 0, high = 0;
    uint8_t done;
    __asm__ volatile("lock; cmpxchg16b %0; setz %1"
                     : "+m"(pair), "=q"(done), "+a"(low), "+d"(high)
                     : "b"((uint64_t)1), "c"((uint64_t)u + 1)
                     : "memory", "cc");
    won[(long)u] = done;
    assert(done || (low == 1 && high == 2 - (uint64_t)u));
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(won[0] + won[1] == 1 && pair[0] == 1);
}
