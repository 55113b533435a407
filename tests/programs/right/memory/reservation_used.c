// A large block of zeros is one in every execution: where few of its pages were written to, where many were, and where
// blocks come after it; and again when it was given back.
// EXPECT: complete
// TESTS: 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MB = 1 << 20, SIZE = 300 * MB, DENSE = 20 * MB, STEP = 3 * MB + 4096 };

static atomic_int turns;

static void *adds(void *unused)
{
    turns++;
    return unused;
}

static char *reserve(void)
{
    char *block = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(block != MAP_FAILED);
    return block;
}

static void use(char *block)
{
    for (size_t at = DENSE; at < SIZE; at += STEP) {
        assert(block[at] == 0);
        block[at] = 1;
    }
    for (size_t at = 0; at < DENSE; at += 1000)
        assert(block[at] == 0);
    memset(block, 1, DENSE);
    assert(!block[SIZE - 1] && block[SIZE - 1]++ == 0);
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, adds, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    char *first = reserve(), *between = malloc(100), *second = calloc(1, SIZE);
    use(first);
    memset(between, 1, 100);
    use(second);
    assert(madvise(first, SIZE, MADV_DONTNEED) == 0);
    use(first);
    munmap(first, SIZE);
    use(reserve());
    free(between);
    free(second);
    return 0;
}
