// An event loop with edge-triggered items serves two clients, and reads only once after an event. If both messages of a
// client have come by then, nothing tells of the second one: the loop and the client wait for each other.
// EXPECT: finding deadlock
// TESTS: 217
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { CLIENTS = 2, MOST = 2 };
static int s[CLIENTS][2];

/* The first client sends one message, the second two. */
static int messages_of(int fd)
{
    return fd == s[0][1] ? 1 : MOST;
}

static void *sends(void *own)
{
    char reply[MOST];
    int fd = *(int *)own;
    for (int i = 0; i < messages_of(fd); i++)
        send(fd, "x", 1, 0);
    recv(fd, reply, messages_of(fd), MSG_WAITALL);
    return NULL;
}

int main(void)
{
    pthread_t t[CLIENTS];
    int loop = epoll_create1(0);
    for (int i = 0; i < CLIENTS; i++) {
        socketpair(AF_UNIX, SOCK_STREAM, 0, s[i]);
        struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.fd = s[i][0] };
        epoll_ctl(loop, EPOLL_CTL_ADD, s[i][0], &event);
        pthread_create(&t[i], NULL, sends, &s[i][1]);
    }
    for (int left = 3; left; left--) {
        struct epoll_event event;
        char c;
        epoll_wait(loop, &event, 1, -1);
        recv(event.data.fd, &c, 1, 0);
        send(event.data.fd, &c, 1, 0);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
}
