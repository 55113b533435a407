// A read waits for a write and takes the sum of what was written; with EFD_SEMAPHORE it takes 1. Writes of different
// threads commute only in that mode.
// EXPECT: complete
// DFS: yes
// RUN: -DFLAGS=0 -DWRITERS=1 TESTS=1
// RUN: -DFLAGS=EFD_SEMAPHORE -DWRITERS=1 TESTS=1
// RUN: -DFLAGS=0 -DWRITERS=2 TESTS=4
// RUN: -DFLAGS=EFD_SEMAPHORE -DWRITERS=2 TESTS=3
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd;
static int data[WRITERS];

static void *writes(void *own)
{
    uint64_t one = 1;
    *(int *)own = 1;
    assert(write(fd, &one, sizeof one) == sizeof one);
    return NULL;
}

int main(void)
{
    pthread_t t[WRITERS];
    fd = eventfd(0, FLAGS);
    assert(fd >= 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&t[i], NULL, writes, &data[i]);
    for (uint64_t sum = 0, value; sum < WRITERS; sum += value) {
        assert(read(fd, &value, sizeof value) == sizeof value);
        assert(FLAGS == 0 || value == 1);
    }
    for (int i = 0; i < WRITERS; i++)
        assert(data[i] == 1);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(t[i], NULL);
}
