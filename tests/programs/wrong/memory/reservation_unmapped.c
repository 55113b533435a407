// A page of a large block that was never used before the block was unmapped.
// EXPECT: finding use-after-free at 19
// EXPECT: finding data-race
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { SIZE = 300 << 20 };

static char *block;
static atomic_int x;

static void *reads(void *unused)
{
    if (x)
        x = 2;
    x = 3;
    if (block)
        ((volatile char *)block)[SIZE / 2]++;
    return unused;
}

int main(void)
{
    pthread_t t;
    block = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, reads, NULL);
    x = 1;
    munmap(block, SIZE);
    pthread_join(t, NULL);
}
