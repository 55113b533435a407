// A recursion that does not end.
// EXPECT: finding stack-overflow
// TESTS: 1
#include <pthread.h>

static volatile int depth;

static int deeper(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    depth = n;
    return deeper(n + 1) + room[0];
}

static void *work(void *unused)
{
    depth = deeper(1);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
}
