// A write to a counter that is full waits for a read, unless the descriptor is non-blocking.
// EXPECT: complete
// DFS: yes
// RUN: -DFLAGS=0 TESTS=1
// RUN: -DFLAGS=EFD_NONBLOCK TESTS=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>

static int fd;

static void *writes(void *unused)
{
    int error = eventfd_write(fd, 1);
    assert(!error || (FLAGS && errno == EAGAIN));
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    fd = eventfd(0, FLAGS);
    eventfd_write(fd, UINT64_MAX - 1);
    pthread_create(&t, NULL, writes, NULL);
    assert(eventfd_read(fd, &value) == 0 && value == UINT64_MAX - 1);
    pthread_join(t, NULL);
}
