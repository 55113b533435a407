// An edge-triggered item: the loop reads until nothing is left, so no message is lost.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

static int s[2];

static void *sends(void *unused)
{
    for (int i = 0; i < 2; i++)
        send(s[1], "x", 1, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    int loop = epoll_create1(0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    struct epoll_event event = { .events = EPOLLIN | EPOLLET };
    epoll_ctl(loop, EPOLL_CTL_ADD, s[0], &event);
    pthread_create(&t, NULL, sends, NULL);
    for (int got = 0; got < 2;) {
        char c;
        assert(epoll_wait(loop, &event, 1, -1) == 1 && event.events == EPOLLIN);
        while (got < 2 && recv(s[0], &c, 1, MSG_DONTWAIT) == 1)
            got++;
    }
    pthread_join(t, NULL);
}
