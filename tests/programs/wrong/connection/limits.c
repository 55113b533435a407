// What is not modelled of sockets with names ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
// RUN: -DWHICH=5
// RUN: -DWHICH=6
// RUN: -DWHICH=7
// RUN: -DWHICH=8
// RUN: -DWHICH=9
// RUN: -DWHICH=10
// RUN: -DWHICH=11
// RUN: -DWHICH=12
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in far = { AF_INET, htons(80), { htonl(0x08080808) }, { 0 } }, any = { AF_INET, 0, { 0 }, { 0 } };
    struct sockaddr_un name = { AF_UNIX, "heddle-limit" };
    struct timeval second = { 1, 0 };
    struct addrinfo *found;
    struct stat about;
    int one = 1, s = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0), l;
    socklen_t size = sizeof any;
    if (WHICH == 1)
        connect(s, (struct sockaddr *)&far, sizeof far);
    if (WHICH == 2)
        sendto(u, "x", 1, 0, (struct sockaddr *)&far, sizeof far);
    if (WHICH == 3)
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    if (WHICH == 4)
        setsockopt(s, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (WHICH == 5)
        getaddrinfo("host.of.nobody", "80", NULL, &found);
    if (WHICH == 6)
        getaddrinfo("localhost", "http", NULL, &found);
    if (WHICH == 7)
        socket(AF_INET, SOCK_RAW, 1);
    if (WHICH == 8)
        socket(AF_NETLINK, SOCK_RAW, 0);
    if (WHICH == 9) {
        bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
        stat("./heddle-limit", &about);
    }
    if (WHICH == 10) {
        l = socket(AF_INET, SOCK_STREAM, 0);
        listen(l, 0);
        getsockname(l, (struct sockaddr *)&any, &size);
        connect(s, (struct sockaddr *)&any, size);
        connect(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), (struct sockaddr *)&any, size);
    }
    if (WHICH == 11) {
        shutdown(s, SHUT_RD);
        listen(s, 1);
    }
    if (WHICH == 12)
        setsockopt(s, SOL_SOCKET, SO_SNDBUF, &one, sizeof one);
}
