// Mapped memory is zero in every execution, is a copy of the file, and may be unmapped in parts.
// EXPECT: complete
// DFS: yes
// TESTS: 3
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 3 * 4096 };
static atomic_int *shared;

static void *adds(void *unused)
{
    atomic_fetch_or(shared, 2);
    atomic_load(shared);
    return unused;
}

static void of_file(void)
{
    int fd = open(__FILE__, O_RDONLY);
    char *copy = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    assert(fd >= 0 && copy != MAP_FAILED && !memcmp(copy, "// Mapped memory", 16));
    *copy = 'x';
    assert(munmap(copy, 100) == 0 && close(fd) == 0);
}

int main(void)
{
    pthread_t t;
    assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
    char *all = mmap(NULL, SIZE - 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(all != MAP_FAILED && (unsigned long)all % 4096 == 0);
    assert(mprotect(all, SIZE, PROT_READ | PROT_WRITE) == 0);
    assert(munmap(all, 4096) == 0);
    for (int i = 4096; i < SIZE; i++)
        assert(all[i] == 0);
    memset(all + 4096, 7, SIZE - 4096);
    assert(madvise(all + 4096, 4096, MADV_DONTNEED) == 0 && all[5000] == 0 && all[2 * 4096] == 7);
    shared = (atomic_int *)(all + 4096);
    pthread_create(&t, NULL, adds, NULL);
    atomic_fetch_or(shared, 1);
    pthread_join(t, NULL);
    assert(*shared == 3);
    of_file();
}
