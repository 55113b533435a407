// Descriptors in messages of UNIX sockets (SCM_RIGHTS).
#include "transcript.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Sends the bytes with `count` descriptors. */
static long pass(int to, const char *bytes, size_t size, const int *fds, int count)
{
    union {
        char bytes[CMSG_SPACE(300 * sizeof(int))];
        struct cmsghdr head;
    } control;
    struct iovec part = { (void *)bytes, size };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = count ? control.bytes : NULL,
        .msg_controllen = count ? CMSG_SPACE(count * sizeof(int)) : 0 };
    if (count) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        *c = (struct cmsghdr) { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(count * sizeof(int)) };
        memcpy(CMSG_DATA(c), fds, count * sizeof(int));
    }
    return sendmsg(to, &m, MSG_NOSIGNAL);
}

/* Receives up to `size` bytes and what fits into `room` bytes of control data; records everything. */
static int receive(int from, size_t size, size_t room, int flags, int *fds)
{
    union {
        char bytes[CMSG_SPACE(300 * sizeof(int))];
        struct cmsghdr head;
    } control;
    char bytes[16] = "";
    struct iovec part = { bytes, size };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = room ? control.bytes : NULL, .msg_controllen = room };
    int count = 0;
    long got = said("recvmsg", recvmsg(from, &m, flags));
    if (got < 0)
        return 0;
    say_bytes("bytes", bytes, got);
    say("flags %#x, control %zu\n", m.msg_flags, (size_t)m.msg_controllen);
    if (!room)
        return 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(c), count * sizeof(int));
        say("level %d, type %d, length %zu:", c->cmsg_level, c->cmsg_type, (size_t)c->cmsg_len);
        for (int i = 0; i < count; i++)
            say(" %d%s", fds[i], fcntl(fds[i], F_GETFD) & FD_CLOEXEC ? " closed by exec" : "");
        say("\n");
    }
    return count;
}

enum { ONE = CMSG_SPACE(sizeof(int)), MANY = CMSG_SPACE(8 * sizeof(int)) };

static void close_from(int fd)
{
    for (; fd < 64; fd++)
        close(fd);
}

static void the_end_of_a_pipe(void)
{
    int k[2], p[2], fds[8];
    char c[4];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "x", 1, &p[1], 1));
    TRY(close(p[1]));
    receive(k[1], 8, ONE, 0, fds);
    TRY(write(fds[0], "ab", 2));
    TRY(read(p[0], c, 4));
    TRY(close(fds[0]));
    TRY(read(p[0], c, 4));
}

static void flags_belong_to_the_open_file(void)
{
    int k[2], p[2], fds[8];
    char c;
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "x", 1, &p[0], 1));
    TRY(fcntl(p[0], F_SETFL, O_NONBLOCK));
    receive(k[1], 8, ONE, MSG_CMSG_CLOEXEC, fds);
    TRY(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    TRY(read(fds[0], &c, 1));
    TRY(fcntl(fds[0], F_SETFL, 0));
    TRY(fcntl(p[0], F_GETFL) & O_NONBLOCK);
}

static void several(void)
{
    int k[2], p[2], fds[8], sent[3];
    uint64_t n = 0;
    TRY(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, k));
    TRY(pipe(p));
    sent[0] = p[0], sent[1] = p[1], sent[2] = eventfd(7, 0);
    TRY(pass(k[0], "xyz", 3, sent, 3));
    TRY(receive(k[1], 2, MANY, 0, fds));
    TRY(read(fds[2], &n, sizeof n));
    say("%d\n", (int)n);
}

static void no_room_for_control_data(void)
{
    int k[2], p[2], fds[8];
    char c;
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "x", 1, &p[1], 1));
    TRY(close(p[1]));
    receive(k[1], 8, 0, 0, fds);
    TRY(read(p[0], &c, 1));
}

static void lost_by_plain_calls(void)
{
    int k[2], p[2];
    char c;
    for (int i = 0; i < 3; i++) {
        TRY(socketpair(AF_UNIX, i ? SOCK_STREAM : SOCK_DGRAM, 0, k));
        TRY(pipe(p));
        TRY(pass(k[0], "x", 1, &p[1], 1));
        TRY(close(p[1]));
        TRY(i == 2 ? recv(k[1], &c, 1, 0) : read(k[1], &c, 1));
        TRY(read(p[0], &c, 1));
    }
}

static void some_do_not_fit(void)
{
    int k[2], p[2], fds[8], sent[3];
    char c;
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, k));
    TRY(pipe(p));
    sent[0] = p[0], sent[1] = k[0], sent[2] = p[1];
    size_t rooms[] = { CMSG_LEN(0), CMSG_LEN(0) + 3, CMSG_LEN(sizeof(int)), ONE, CMSG_LEN(3 * sizeof(int)), 8 };
    for (int i = 0; i < 6; i++) {
        TRY(pass(k[0], "x", 1, sent, 3));
        receive(k[1], 8, rooms[i], 0, fds);
        close_from(p[1] + 1);
    }
    TRY(pass(k[0], "x", 1, sent, 3));
    TRY(close(p[1]));
    receive(k[1], 8, ONE, 0, fds);
    TRY(read(p[0], &c, 1));
}

static void bytes_before_and_after(void)
{
    int k[2], p[2], fds[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "ab", 2, NULL, 0));
    TRY(pass(k[0], "cd", 2, &p[0], 1));
    TRY(pass(k[0], "ef", 2, NULL, 0));
    TRY(pass(k[0], "gh", 2, &p[1], 1));
    TRY(pass(k[0], "ij", 2, p, 2));
    for (int i = 0; i < 4; i++)
        receive(k[1], i ? 8 : 1, MANY, 0, fds);
    TRY(pass(k[0], "", 0, p, 2));
    TRY(recv(k[1], fds, 8, MSG_DONTWAIT));
}

static void a_part_takes_the_descriptors(void)
{
    int k[2], p[2], fds[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "abcd", 4, p, 2));
    TRY(pass(k[0], "ef", 2, NULL, 0));
    receive(k[1], 1, MANY, 0, fds);
    receive(k[1], 8, MANY, 0, fds);
    TRY(pass(k[0], "gh", 2, p, 1));
    TRY(pass(k[0], "ij", 2, NULL, 0));
    receive(k[1], 4, MANY, MSG_WAITALL, fds);
    receive(k[1], 8, MANY, 0, fds);
}

static void looking_makes_numbers(void)
{
    int k[2], p[2], fds[8];
    char c;
    for (int i = 0; i < 2; i++) {
        TRY(socketpair(AF_UNIX, i ? SOCK_STREAM : SOCK_DGRAM, 0, k));
        TRY(pipe(p));
        TRY(pass(k[0], "abc", 3, &p[1], 1));
        receive(k[1], 2, ONE, MSG_PEEK, fds);
        TRY(write(fds[0], "1", 1));
        TRY(recv(k[1], &c, 1, MSG_PEEK));
        receive(k[1], 8, ONE, 0, fds);
        TRY(write(fds[0], "2", 1));
        TRY(ioctl(p[0], FIONREAD, fds) ? -1 : fds[0]);
    }
}

static void closed_before_it_is_received(void)
{
    int k[2], p[2];
    char c;
    for (int i = 0; i < 3; i++) {
        TRY(socketpair(AF_UNIX, (int[]) { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET }[i], 0, k));
        TRY(pipe(p));
        TRY(pass(k[0], "x", 1, &p[1], 1));
        TRY(close(p[1]));
        TRY(fcntl(p[0], F_SETFL, O_NONBLOCK));
        TRY(read(p[0], &c, 1));
        TRY(close(k[1]));
        TRY(read(p[0], &c, 1));
        TRY(recv(k[0], &c, 1, MSG_DONTWAIT));
    }
}

static void a_socket_in_a_socket(void)
{
    int k[2], j[2], fds[8];
    char c;
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, j));
    TRY(pass(k[0], "x", 1, &j[1], 1));
    TRY(pass(j[0], "y", 1, NULL, 0));
    TRY(close(j[1]));
    receive(k[1], 8, ONE, 0, fds);
    receive(fds[0], 8, ONE, 0, fds + 1);
    TRY(pass(j[0], "z", 1, &k[1], 1));
    TRY(close(k[1]));
    TRY(send(k[0], "u", 1, MSG_NOSIGNAL));
    TRY(close(fds[0])); /* closes the socket in its queue */
    TRY(send(k[0], "u", 1, MSG_NOSIGNAL));
    TRY(recv(j[0], &c, 1, 0));
}

static void a_message_that_is_refused(void)
{
    int k[2], p[2], none = 60;
    char c;
    signal(SIGPIPE, SIG_IGN);
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "x", 1, &none, 1));
    TRY(pass(k[0], "x", 1, (int[]) { p[1], -1 }, 2));
    TRY(pass(60, "x", 1, p, 2));
    TRY(pass(p[1], "x", 1, p, 2));
    TRY(close(k[1]));
    TRY(pass(k[0], "x", 1, &p[1], 1));
    TRY(close(p[1]));
    TRY(read(p[0], &c, 1));
}

static void how_many(void)
{
    int k[2], sent[300];
    char c;
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, k));
    for (int i = 0; i < 300; i++)
        sent[i] = k[0];
    TRY(pass(k[0], "x", 1, sent, 253));
    TRY(pass(k[0], "x", 1, sent, 254));
    TRY(recv(k[1], &c, 1, MSG_DONTWAIT));
    TRY(recv(k[1], &c, 1, MSG_DONTWAIT));
}

static void bad_control_data(void)
{
    union {
        char bytes[64];
        struct cmsghdr head;
    } control;
    int k[2];
    char c;
    struct iovec part = { "x", 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes };
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, k));
    struct {
        size_t length, whole;
        int level, type;
    } tries[] = { { CMSG_LEN(4), CMSG_SPACE(4) - 8, SOL_SOCKET, SCM_RIGHTS }, { 3, 24, SOL_SOCKET, SCM_RIGHTS }, { 100, 24, SOL_SOCKET, SCM_RIGHTS },
        { CMSG_LEN(0), 24, SOL_SOCKET, SCM_RIGHTS }, { CMSG_LEN(4), 24, SOL_SOCKET, 77 }, { CMSG_LEN(4), 24, 77, 1 },
        { CMSG_LEN(4), 10, SOL_SOCKET, SCM_RIGHTS } };
    for (int i = 0; i < 7; i++) {
        memset(control.bytes, 0, sizeof control.bytes);
        control.head = (struct cmsghdr) { .cmsg_len = tries[i].length, .cmsg_level = tries[i].level, .cmsg_type = tries[i].type };
        memcpy(CMSG_DATA(&control.head), k, 4);
        m.msg_controllen = tries[i].whole;
        TRY(sendmsg(k[0], &m, 0));
    }
    while (recv(k[1], &c, 1, MSG_DONTWAIT) == 1)
        say("received\n");
}

static void two_headers(void)
{
    union {
        char bytes[2 * ONE];
        struct cmsghdr head;
    } control;
    int k[2], fds[8];
    struct iovec part = { "x", 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    for (int i = 0; i < 2; i++) {
        struct cmsghdr *c = (struct cmsghdr *)(control.bytes + i * ONE);
        *c = (struct cmsghdr) { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
        memcpy(CMSG_DATA(c), &k[i], sizeof(int));
    }
    TRY(sendmsg(k[0], &m, 0));
    receive(k[1], 8, MANY, 0, fds);
}

static void other_sockets_ignore_them(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), fds[8], none = 60;
    TRY(bind(a, (struct sockaddr *)&at, sizeof at));
    TRY(getsockname(a, (struct sockaddr *)&at, &size));
    TRY(connect(b, (struct sockaddr *)&at, size));
    TRY(pass(b, "x", 1, &b, 1));
    TRY(pass(b, "y", 1, &none, 1));
    receive(a, 8, ONE, 0, fds);
    receive(a, 8, ONE, 0, fds);
}

static void to_a_name(void)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "\0rights" };
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 7;
    int box = socket(AF_UNIX, SOCK_DGRAM, 0), s = socket(AF_UNIX, SOCK_DGRAM, 0), p[2], fds[8];
    char c;
    TRY(bind(box, (struct sockaddr *)&at, size));
    TRY(connect(s, (struct sockaddr *)&at, size));
    TRY(pipe(p));
    TRY(pass(s, "a", 1, &p[1], 1));
    TRY(pass(s, "", 0, &p[1], 1));
    TRY(close(p[1]));
    receive(box, 8, ONE, 0, fds);
    TRY(close(fds[0]));
    receive(box, 8, ONE, 0, fds + 1);
    TRY(close(fds[1]));
    TRY(read(p[0], &c, 1));
}

static void ready_for_the_other_number(void)
{
    int k[2], p[2], fds[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pipe(p));
    TRY(pass(k[0], "x", 1, &p[0], 1));
    TRY(write(p[1], "abc", 3));
    TRY(close(p[0]));
    receive(k[1], 8, ONE, 0, fds);
    struct pollfd ready = { fds[0], POLLIN, 0 };
    TRY(poll(&ready, 1, 0));
    TRY(dup2(fds[0], 20));
    TRY(close(fds[0]));
    TRY(read(20, fds, 8));
}

static void no_number_is_left(void)
{
    struct rlimit few = { 6, 6 };
    int k[2], fds[8];
    TRY(setrlimit(RLIMIT_NOFILE, &few));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, k));
    TRY(pass(k[0], "x", 1, k, 2));
    TRY(pass(k[0], "y", 1, k, 1));
    receive(k[1], 8, MANY, 0, fds);
    receive(k[1], 8, MANY, 0, fds);
}

int main(void)
{
#define EACH(name) \
    RUN(name); \
    close_from(3)
    EACH(the_end_of_a_pipe);
    EACH(flags_belong_to_the_open_file);
    EACH(several);
    EACH(no_room_for_control_data);
    EACH(lost_by_plain_calls);
    EACH(some_do_not_fit);
    EACH(bytes_before_and_after);
    EACH(a_part_takes_the_descriptors);
    EACH(looking_makes_numbers);
    EACH(closed_before_it_is_received);
    EACH(a_socket_in_a_socket);
    EACH(a_message_that_is_refused);
    EACH(how_many);
    EACH(bad_control_data);
    EACH(two_headers);
    EACH(other_sockets_ignore_them);
    EACH(to_a_name);
    EACH(ready_for_the_other_number);
    EACH(no_number_is_left);
    return finish();
}
