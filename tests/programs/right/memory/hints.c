// Mapped memory is aligned as the address that the program proposes, as it is on Linux where that address is free.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

static atomic_int *shared;

static void *adds(void *unused)
{
    atomic_fetch_add(shared, 1);
    return unused;
}

static void *map(uintptr_t hint, size_t size)
{
    void *at = mmap((void *)hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(at != MAP_FAILED);
    return at;
}

int main(void)
{
    pthread_t thread;
    uintptr_t large = 1ull << 25;
    assert((uintptr_t)map(0, 4096) % 4096 == 0);
    assert((uintptr_t)map((1ull << 41) + 4096, 4096) % 4096 == 0);
    shared = map((1ull << 41) + large, large + 4096);
    assert((uintptr_t)shared % large == 0);
    pthread_create(&thread, NULL, adds, NULL);
    atomic_fetch_add(shared, 1);
    pthread_join(thread, NULL);
    assert(munmap(shared, large + 4096) == 0);
    return 0;
}
