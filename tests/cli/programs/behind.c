#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BENIGN
#define BENIGN 0
#endif

static int counters[10], last;
static atomic_int first, second;

static void count(void)
{
    for (int i = 0; i < 10; i++)
        counters[i]++;
    last = 10;
}

static void *sets(void *unused)
{
    count();
    first = 1;
    second = 1;
    return unused;
}

int main(void)
{
    pthread_t setter, other;
    pthread_create(&setter, NULL, sets, NULL);
    pthread_create(&other, NULL, sets, NULL);
    int one = first;
    count();
    assert(one || !second || BENIGN);
    pthread_join(setter, NULL);
    pthread_join(other, NULL);
    return 0;
}
