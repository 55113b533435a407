// Two threads write to mapped memory; a fixed address is not modelled.
// RUN: FINDING=data-race TESTS=2
// RUN: -DFIXED FINDING=model-limit TESTS=1
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *writes(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef FIXED
    flags |= MAP_FIXED;
#endif
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    pthread_create(&t, NULL, writes, NULL);
    *shared = 2;
    pthread_join(t, NULL);
}
