// Two clients ask a server by datagrams, and it answers each of them where the question came from. UDP and UNIX.
// EXPECT: complete
// RUN: -DDOMAIN=AF_INET TESTS=4
// RUN: -DDOMAIN=AF_UNIX TESTS=4
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

union address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_un un;
};

static union address at;
static socklen_t size;
static int clients[2];

static int make(int number)
{
    union address own = { 0 };
    int fd = socket(DOMAIN, SOCK_DGRAM, 0);
    own.any.sa_family = DOMAIN;
    size = sizeof own.in;
    if (DOMAIN == AF_UNIX) {
        own.un.sun_path[1] = (char)('a' + number);
        size = 4;
    } else {
        own.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    assert(bind(fd, &own.any, size) == 0);
    if (number == 2)
        assert(getsockname(fd, &at.any, &size) == 0);
    return fd;
}

static void *asks(void *own)
{
    char c = (char)((int *)own - clients);
    char answer = 0;
    assert(sendto(*(int *)own, &c, 1, 0, &at.any, size) == 1);
    assert(recv(*(int *)own, &answer, 1, 0) == 1 && answer == c + 10);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        clients[i] = make(i);
    int server = make(2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, asks, &clients[i]);
    for (int i = 0; i < 2; i++) {
        union address from;
        socklen_t length = sizeof from;
        char c;
        assert(recvfrom(server, &c, 1, 0, &from.any, &length) == 1);
        c += 10;
        assert(sendto(server, &c, 1, 0, &from.any, length) == 1);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
