// A worker takes an event with EPOLLONESHOT and forgets to ask again: the next message wakes no thread.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 3
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int fd, loop;

static void *works(void *unused)
{
    struct epoll_event event;
    eventfd_t value;
    for (int left = 2; left; left -= (int)value) {
        epoll_wait(loop, &event, 1, -1);
        eventfd_read(fd, &value);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    loop = epoll_create1(0);
    fd = eventfd(0, 0);
    struct epoll_event event = { .events = EPOLLIN | EPOLLONESHOT };
    epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
    pthread_create(&t, NULL, works, NULL);
    eventfd_write(fd, 1);
    eventfd_write(fd, 1);
    pthread_join(t, NULL);
}
