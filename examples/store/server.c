// A server that stores a number, with one thread and epoll. Requests are lines: "set N", "add N" or "get"; the answer to
// "get" is the number and a newline.
//
// The bug: the server takes what one call of recv returns for one request. TCP is a stream of bytes, so a call may return a part of
// a request, or two at once. Then a "get" gets no answer, and its client waits forever. -DREPAIRED keeps what has come until
// the newline is there.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE = 16 };

struct connection {
    int fd;
    int length;
    char line[LINE];
};

static int value;

static void answer(int fd, const char *request)
{
    char text[LINE];
    if (!strncmp(request, "set ", 4))
        value = atoi(request + 4);
    else if (!strncmp(request, "add ", 4))
        value += atoi(request + 4);
    else if (!strcmp(request, "get"))
        send(fd, text, snprintf(text, sizeof text, "%d\n", value), MSG_NOSIGNAL);
}

static void take_requests(struct connection *c)
{
    char *end;
#ifndef REPAIRED
    c->line[c->length] = 0;
    if ((end = strchr(c->line, '\n')))
        *end = 0;
    answer(c->fd, c->line);
    c->length = 0;
#else
    while ((end = memchr(c->line, '\n', c->length))) {
        *end = 0;
        answer(c->fd, c->line);
        c->length -= end + 1 - c->line;
        memmove(c->line, end + 1, c->length);
    }
#endif
}

static void serve(struct connection *c)
{
    ssize_t got = recv(c->fd, c->line + c->length, LINE - 1 - c->length, 0);
    if (got <= 0) {
        close(c->fd);
        free(c);
        return;
    }
    c->length += got;
    take_requests(c);
}

int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int listener = socket(AF_INET, SOCK_STREAM, 0), epoll = epoll_create1(0);
    struct epoll_event event = { .events = EPOLLIN };
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8))
        return 1;
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        if (epoll_wait(epoll, &event, 1, -1) != 1)
            return 1;
        if (event.data.ptr) {
            serve(event.data.ptr);
            continue;
        }
        struct connection *c = calloc(1, sizeof *c);
        c->fd = accept(listener, NULL, NULL);
        struct epoll_event wanted = { .events = EPOLLIN, .data.ptr = c };
        epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &wanted);
    }
}
