// Behind a large block of zeros, in an execution that is not the first.
// EXPECT: finding heap-overflow at 21
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 300 << 20 };

static atomic_int x;

static void *adds(void *unused)
{
    x = 1;
    return unused;
}

static void behind(volatile char *block, size_t at)
{
    block[0] = 1, block[SIZE - 1] = 1;
    block[at] = 1;
}

int main(void)
{
    pthread_t t;
    char *block = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, adds, NULL);
    behind(block, x ? SIZE : SIZE / 2);
    pthread_join(t, NULL);
}
