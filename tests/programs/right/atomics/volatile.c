// With --volatile=atomic, volatile accesses do not race, and order what comes before and after them: a flag protects the
// value that it announces, in a loop, in a bit-field and through a pointer.
// EXPECT: complete
// OPTIONS: --volatile=atomic
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static struct {
    volatile unsigned char low : 4, high : 4;
} bits;
static int value;

static void *sets(void *unused)
{
    volatile int *flag = &ready;
    value = 5;
    bits.high = 3;
    *flag = 1;
    return unused;
}

int main(void)
{
    pthread_t setter;
    pthread_create(&setter, NULL, sets, NULL);
    while (!ready) { }
    assert(value == 5 && bits.high == 3);
    pthread_join(setter, NULL);
    return 0;
}
