// Mapped memory that another thread has unmapped.
// EXPECT: finding use-after-free
// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int *shared;

static void *writes(void *unused)
{
    atomic_store(shared, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, writes, NULL);
    munmap(shared, 4096);
    pthread_join(t, NULL);
}
