// Writes far out of everything.
// EXPECT: finding crash
// TESTS: 1
#include <pthread.h>

static volatile unsigned long where = 0x7654321000;

static void *work(void *unused)
{
    *(volatile int *)where = 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
}
