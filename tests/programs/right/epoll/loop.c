// An event loop serves two clients over pairs of sockets: each sends a number and gets its successor. A client that closes
// its socket is removed.
// EXPECT: complete
// TESTS: 1161
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };
static int s[CLIENTS][2];

static void *asks(void *own)
{
    int fd = *(int *)own;
    char number = 4;
    assert(send(fd, &number, 1, 0) == 1);
    assert(recv(fd, &number, 1, 0) == 1 && number == 5);
    close(fd);
    return NULL;
}

/* Returns whether the client is still there. */
static int serves(int fd)
{
    char number;
    if (recv(fd, &number, 1, 0) != 1)
        return 0;
    number++;
    send(fd, &number, 1, 0);
    return 1;
}

int main(void)
{
    pthread_t t[CLIENTS];
    int loop = epoll_create1(0);
    for (int i = 0; i < CLIENTS; i++) {
        socketpair(AF_UNIX, SOCK_STREAM, 0, s[i]);
        struct epoll_event event = { .events = EPOLLIN, .data.fd = s[i][0] };
        assert(epoll_ctl(loop, EPOLL_CTL_ADD, s[i][0], &event) == 0);
        pthread_create(&t[i], NULL, asks, &s[i][1]);
    }
    for (int left = CLIENTS; left;) {
        struct epoll_event events[CLIENTS];
        int n = epoll_wait(loop, events, CLIENTS, -1);
        for (int i = 0; i < n; i++)
            if (!serves(events[i].data.fd)) {
                assert(epoll_ctl(loop, EPOLL_CTL_DEL, events[i].data.fd, NULL) == 0);
                left--;
            }
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
}
