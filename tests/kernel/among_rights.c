// A descriptor is sent, while the other side receives it with another call or closes the socket.
// AMONG: 12
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>

static int k[2], p[2];

static void pass(int to, int fd)
{
    char control[CMSG_SPACE(sizeof(int))] = "";
    struct iovec part = { "x", 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    sendmsg(to, &m, MSG_NOSIGNAL);
}

static void *sends(void *unused)
{
    pass(k[0], p[1]);
    close(p[1]);
    return unused;
}

static int receive(void)
{
    char control[CMSG_SPACE(sizeof(int))], c[4];
    struct iovec part = { c, sizeof c };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    int fd = -1;
    if (TRY(recvmsg(k[1], &m, MSG_DONTWAIT)) == 1)
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

int main(void)
{
    pthread_t t;
    char c[4];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(fcntl(p[0], F_SETFL, O_NONBLOCK));
    pthread_create(&t, NULL, sends, NULL);
    int fd = receive();
    say("received: %d\n", fd >= 0);
    TRY(close(k[1]));
    TRY(read(p[0], c, 4));
    pthread_join(t, NULL);
    if (fd >= 0)
        TRY(close(fd));
    TRY(read(p[0], c, 4));
    return finish();
}
