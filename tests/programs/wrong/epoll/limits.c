// What is not modelled ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void)
{
    struct epoll_event event = { .events = EPOLLIN | (WHICH == 1 ? EPOLLEXCLUSIVE : 0) };
    int fd = WHICH == 1 ? eventfd(0, 0) : WHICH == 2 ? epoll_create1(0) : open("/dev/null", O_RDONLY);
    epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd, &event);
}
