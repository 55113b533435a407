// Results and errors of a single thread: the initial value, both modes, non-blocking reads, sizes, closing, poll and
// select.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static void read_and_write(void)
{
    uint64_t value;
    int sum = eventfd(3, EFD_NONBLOCK), steps = syscall(SYS_eventfd2, 2, EFD_NONBLOCK | EFD_SEMAPHORE);
    assert(sum != steps);
    value = 4;
    assert(write(sum, &value, sizeof value) == sizeof value);
    assert(read(sum, &value, sizeof value) == sizeof value && value == 7);
    assert(read(sum, &value, sizeof value) == -1 && errno == EAGAIN);
    assert(read(sum, &value, 4) == -1 && errno == EINVAL);
    assert(eventfd_write(sum, UINT64_MAX) == -1 && errno == EINVAL);
    assert(eventfd_write(steps, 1) == 0);
    for (int i = 0; i < 3; i++)
        assert(eventfd_read(steps, &value) == 0 && value == 1);
    assert(eventfd_read(steps, &value) == -1 && errno == EAGAIN);
    assert(close(sum) == 0 && close(steps) == 0);
    assert(read(sum, &value, sizeof value) == -1 && errno == EBADF);
    int again = eventfd(0, EFD_NONBLOCK);
    assert(again == sum && eventfd_read(again, &value) == -1 && errno == EAGAIN);
    close(again);
}

static void wait_for(void)
{
    int full = eventfd(1, 0), empty = eventfd(0, 0);
    struct pollfd p[] = { { full, POLLIN, 0 }, { empty, POLLIN | POLLOUT, 0 }, { -1, POLLIN, 0 } };
    assert(poll(p, 3, -1) == 2 && p[0].revents == POLLIN && p[1].revents == POLLOUT && p[2].revents == 0);
    assert(poll(p + 2, 1, 10) == 0 && poll(NULL, 0, 10) == 0);
    p[1].events = POLLIN;
    assert(poll(p + 1, 1, 0) == 0 && p[1].revents == 0);
    fd_set reads;
    struct timeval none = { 0 };
    FD_ZERO(&reads);
    FD_SET(full, &reads);
    FD_SET(empty, &reads);
    assert(select(empty + 1, &reads, NULL, NULL, &none) == 1 && FD_ISSET(full, &reads) && !FD_ISSET(empty, &reads));
    struct timeval soon = { 0, 1000 };
    assert(select(0, NULL, NULL, NULL, &soon) == 0);
    close(full);
    close(empty);
}

int main(void)
{
    read_and_write();
    wait_for();
}
