// Pairs of connected UNIX sockets, in one thread: streams, datagrams, packets.
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

static char large[1 << 16], back[1 << 16];

static void shut(int p[2])
{
    close(p[0]);
    close(p[1]);
}

static void get(int fd, size_t size, int flags)
{
    char to[64] = "";
    long n = TRY(recv(fd, to, size, flags));
    if (n > 0)
        say_bytes("got", to, n < (long)size ? n : (long)size);
}

static void ask(int fd)
{
    struct pollfd p = { fd, POLLIN | POLLOUT | POLLRDHUP, 0 };
    TRY(poll(&p, 1, 0));
    say("revents %x\n", (unsigned short)p.revents);
}

static void both_directions(int type)
{
    int p[2];
    char c[8];
    TRY(socketpair(AF_UNIX, type, 0, p));
    say("%d %d\n", p[0], p[1]);
    TRY(write(p[0], "ab", 2));
    TRY(send(p[0], "cde", 3, 0));
    TRY(write(p[1], "x", 1));
    long n = TRY(read(p[1], c, 8));
    say_bytes("got", c, n);
    TRY(recv(p[0], c, 8, 0));
    TRY(recv(p[1], c, 8, MSG_DONTWAIT));
    TRY(recv(p[1], c, 8, MSG_DONTWAIT));
    shut(p);
}

static void stream_both_directions(void)
{
    both_directions(SOCK_STREAM);
}

static void dgram_both_directions(void)
{
    both_directions(SOCK_DGRAM);
}

static void packet_both_directions(void)
{
    both_directions(SOCK_SEQPACKET);
}

static void bad_pairs(void)
{
    int p[2] = { -3, -3 };
    TRY(socketpair(AF_UNIX, 77, 0, p));
    TRY(socketpair(AF_UNIX, SOCK_RDM, 0, p));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 5, p));
    TRY(socketpair(AF_UNIX, SOCK_STREAM | 0x10000, 0, p));
}

static void flags_of_pairs(void)
{
    int p[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, p));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_GETFD));
    TRY(read(p[0], back, 1));
    TRY(fcntl(p[0], F_SETFL, 0));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_GETFL));
    TRY(recv(p[0], back, 1, MSG_DONTWAIT));
    TRY(recv(p[1], back, 1, 0));
    shut(p);
}

static void no_sockets(void)
{
    int p[2];
    char c = 0;
    struct iovec part = { &c, 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
    TRY(pipe(p));
    TRY(send(p[1], &c, 1, 0));
    TRY(recv(p[0], &c, 1, 0));
    TRY(sendto(p[1], &c, 1, 0, NULL, 0));
    TRY(recvfrom(p[0], &c, 1, 0, NULL, NULL));
    TRY(sendmsg(p[1], &m, 0));
    TRY(recvmsg(p[0], &m, 0));
    TRY(shutdown(p[0], SHUT_RD));
    int file = open("/dev/null", O_RDONLY);
    TRY(send(file, &c, 1, 0));
    TRY(recv(file, &c, 1, 0));
    TRY(shutdown(file, SHUT_RD));
    close(file);
    shut(p);
    TRY(send(p[0], &c, 1, 0));
    TRY(recv(p[0], &c, 1, 0));
    TRY(shutdown(p[0], SHUT_RD));
    TRY(send(-1, &c, 1, 0));
    TRY(recv(-1, &c, 1, 0));
}

static void stream_parts(void)
{
    int p[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    TRY(send(p[0], "abcdef", 6, 0));
    get(p[1], 2, 0);
    get(p[1], 3, MSG_PEEK);
    get(p[1], 3, 0);
    TRY(send(p[0], "gh", 2, 0));
    get(p[1], 64, MSG_PEEK);
    get(p[1], 2, MSG_WAITALL);
    get(p[1], 64, 0);
    TRY(send(p[0], "", 0, 0));
    get(p[1], 1, MSG_DONTWAIT);
    TRY(read(p[1], back, 0));
    shut(p);
}

static void messages(int type)
{
    int p[2], n;
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(send(p[0], "abcdef", 6, 0));
    TRY(send(p[0], "", 0, 0));
    TRY(send(p[0], "gh", 2, 0));
    TRY(send(p[0], "ijk", 3, MSG_DONTWAIT));
    TRY(ioctl(p[1], FIONREAD, &n));
    say("%d\n", n);
    get(p[1], 2, MSG_PEEK);
    get(p[1], 2, MSG_PEEK | MSG_TRUNC);
    get(p[1], 2, 0);
    get(p[1], 2, 0);
    get(p[1], 1, MSG_TRUNC);
    get(p[1], 64, MSG_WAITALL);
    get(p[1], 64, MSG_DONTWAIT);
    TRY(read(p[1], back, 0));
    shut(p);
}

static void dgram_messages(void)
{
    messages(SOCK_DGRAM);
}

static void packet_messages(void)
{
    messages(SOCK_SEQPACKET);
}

static void vectors_and_headers(int type)
{
    int p[2];
    char a[2] = "--", b[3] = "---";
    struct iovec out[] = { { "one", 3 }, { "two", 3 } }, in[] = { { a, 2 }, { b, 3 } };
    struct msghdr m = { .msg_iov = out, .msg_iovlen = 2 }, r = { .msg_iov = in, .msg_iovlen = 2, .msg_flags = -1 };
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(sendmsg(p[0], &m, 0));
    TRY(writev(p[0], out, 2));
    TRY(recvmsg(p[1], &r, 0));
    say("%.2s %.3s flags %x name %u control %zu\n", a, b, r.msg_flags, r.msg_namelen, (size_t)r.msg_controllen);
    TRY(recvmsg(p[1], &r, MSG_PEEK));
    say("%.2s %.3s flags %x\n", a, b, r.msg_flags);
    TRY(readv(p[1], in, 2));
    say("%.2s %.3s\n", a, b);
    TRY(recvmsg(p[1], &r, MSG_DONTWAIT));
    m.msg_iovlen = 0;
    TRY(sendmsg(p[0], &m, 0));
    m.msg_iovlen = 2000;
    TRY(sendmsg(p[0], &m, 0));
    TRY(recvmsg(p[0], &m, 0));
    shut(p);
}

static void stream_vectors(void)
{
    vectors_and_headers(SOCK_STREAM);
}

static void dgram_vectors(void)
{
    vectors_and_headers(SOCK_DGRAM);
}

static void packet_vectors(void)
{
    vectors_and_headers(SOCK_SEQPACKET);
}

static void half_closed(int type)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(send(p[0], "ab", 2, 0));
    TRY(shutdown(p[0], SHUT_WR));
    ask(p[0]);
    ask(p[1]);
    TRY(send(p[0], "c", 1, 0));
    TRY(send(p[0], "c", 1, MSG_NOSIGNAL));
    get(p[1], 1, MSG_DONTWAIT);
    get(p[1], 4, MSG_DONTWAIT);
    get(p[1], 4, MSG_DONTWAIT);
    TRY(send(p[1], "back", 4, 0));
    get(p[0], 4, MSG_DONTWAIT);
    TRY(shutdown(p[0], SHUT_RD));
    ask(p[0]);
    ask(p[1]);
    get(p[0], 4, MSG_DONTWAIT);
    TRY(send(p[1], "back", 4, 0));
    TRY(shutdown(p[0], SHUT_RDWR));
    TRY(shutdown(p[1], 3));
    TRY(shutdown(p[1], -1));
    shut(p);
    signal(SIGPIPE, SIG_DFL);
}

static void stream_half_closed(void)
{
    half_closed(SOCK_STREAM);
}

static void dgram_half_closed(void)
{
    half_closed(SOCK_DGRAM);
}

static void packet_half_closed(void)
{
    half_closed(SOCK_SEQPACKET);
}

static void receiver_shut(int type)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(send(p[0], "ab", 2, 0));
    TRY(shutdown(p[1], SHUT_RD));
    get(p[1], 8, MSG_DONTWAIT);
    get(p[1], 8, MSG_DONTWAIT);
    TRY(send(p[0], "cd", 2, 0));
    get(p[1], 8, MSG_DONTWAIT);
    ask(p[0]);
    ask(p[1]);
    shut(p);
    signal(SIGPIPE, SIG_DFL);
}

static void stream_receiver_shut(void)
{
    receiver_shut(SOCK_STREAM);
}

static void dgram_receiver_shut(void)
{
    receiver_shut(SOCK_DGRAM);
}

static void packet_receiver_shut(void)
{
    receiver_shut(SOCK_SEQPACKET);
}

static void peer_closed(int type, int unread)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(send(p[1], "last", 4, 0));
    if (unread)
        TRY(send(p[0], "unread", 6, 0));
    TRY(close(p[1]));
    ask(p[0]);
    TRY(send(p[0], "x", 1, 0));
    get(p[0], 8, MSG_DONTWAIT);
    get(p[0], 8, MSG_DONTWAIT);
    get(p[0], 8, MSG_DONTWAIT);
    TRY(send(p[0], "x", 1, 0));
    TRY(send(p[0], "x", 1, 0));
    ask(p[0]);
    TRY(shutdown(p[0], SHUT_RDWR));
    close(p[0]);
    signal(SIGPIPE, SIG_DFL);
}

static void stream_peer_closed(void)
{
    peer_closed(SOCK_STREAM, 0);
}

static void dgram_peer_closed(void)
{
    peer_closed(SOCK_DGRAM, 0);
}

static void packet_peer_closed(void)
{
    peer_closed(SOCK_SEQPACKET, 0);
}

static void stream_peer_closed_with_unread(void)
{
    peer_closed(SOCK_STREAM, 1);
}

static void dgram_peer_closed_with_unread(void)
{
    peer_closed(SOCK_DGRAM, 1);
}

static void packet_peer_closed_with_unread(void)
{
    peer_closed(SOCK_SEQPACKET, 1);
}

static int signals;

static void count(int signal)
{
    signals += signal == SIGPIPE;
}

static void signals_of(int type)
{
    int p[2];
    signals = 0;
    signal(SIGPIPE, count);
    TRY(socketpair(AF_UNIX, type, 0, p));
    TRY(close(p[1]));
    TRY(send(p[0], "x", 1, 0));
    TRY(write(p[0], "x", 1));
    TRY(send(p[0], "x", 1, MSG_NOSIGNAL));
    say("%d signals\n", signals);
    close(p[0]);
    signal(SIGPIPE, SIG_DFL);
}

static void stream_signals(void)
{
    signals_of(SOCK_STREAM);
}

static void packet_signals(void)
{
    signals_of(SOCK_SEQPACKET);
}

static void readiness(int type)
{
    int p[2];
    TRY(socketpair(AF_UNIX, type, 0, p));
    ask(p[0]);
    TRY(send(p[0], "x", 1, 0));
    ask(p[1]);
    get(p[1], 1, 0);
    ask(p[1]);
    shut(p);
}

static void stream_readiness(void)
{
    readiness(SOCK_STREAM);
}

static void dgram_readiness(void)
{
    readiness(SOCK_DGRAM);
}

static void packet_readiness(void)
{
    readiness(SOCK_SEQPACKET);
}

static void large_stream(void)
{
    int p[2], n;
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * 3 + i / 257);
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    TRY(send(p[0], large, 20000, 0));
    TRY(send(p[0], large + 20000, 30000, 0));
    TRY(ioctl(p[1], FIONREAD, &n));
    say("%d\n", n);
    TRY(recv(p[1], back, 5, 0));
    TRY(recv(p[1], back + 5, 8192, MSG_WAITALL));
    TRY(recv(p[1], back + 8197, 41803, MSG_WAITALL));
    say("%d\n", memcmp(large, back, 50000));
    shut(p);
}

static void large_message(void)
{
    int p[2];
    TRY(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p));
    TRY(send(p[0], large, 20000, 0));
    TRY(send(p[0], large + 1, 4096, 0));
    TRY(recv(p[1], back, 20000, 0));
    say("%d\n", memcmp(large, back, 20000));
    TRY(recv(p[1], back, sizeof back, 0));
    say("%d\n", memcmp(large + 1, back, 4096));
    shut(p);
}

static void a_socket_is_no_file(void)
{
    int p[2];
    struct stat s;
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    TRY(fstat(p[0], &s));
    say("%o\n", (unsigned)s.st_mode);
    TRY(lseek(p[0], 0, SEEK_SET));
    TRY(pread(p[0], back, 1, 0));
    TRY(pwrite(p[0], back, 1, 0));
    TRY(ftruncate(p[0], 0));
    shut(p);
}

static void duplicates(void)
{
    int p[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    int copy = TRY(dup(p[0]));
    TRY(close(p[0]));
    TRY(send(copy, "x", 1, 0));
    get(p[1], 4, 0);
    get(p[1], 4, MSG_DONTWAIT);
    TRY(close(copy));
    get(p[1], 4, 0);
    close(p[1]);
}

static void names_on_connected_sockets(void)
{
    int p[2];
    struct sockaddr to = { .sa_family = AF_UNIX }, from;
    socklen_t length = sizeof from;
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    TRY(sendto(p[0], "x", 1, 0, &to, sizeof to));
    TRY(sendto(p[0], "x", 1, 0, NULL, 0));
    TRY(recvfrom(p[1], back, 1, 0, &from, &length));
    say("%u\n", length);
    shut(p);
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, p));
    TRY(send(p[0], "x", 1, 0));
    length = sizeof from;
    TRY(recvfrom(p[1], back, 1, 0, &from, &length));
    say("%u\n", length);
    shut(p);
}

int main(void)
{
    RUN(stream_both_directions);
    RUN(dgram_both_directions);
    RUN(packet_both_directions);
    RUN(bad_pairs);
    RUN(flags_of_pairs);
    RUN(no_sockets);
    RUN(stream_parts);
    RUN(dgram_messages);
    RUN(packet_messages);
    RUN(stream_vectors);
    RUN(dgram_vectors);
    RUN(packet_vectors);
    RUN(stream_half_closed);
    RUN(dgram_half_closed);
    RUN(packet_half_closed);
    RUN(stream_receiver_shut);
    RUN(dgram_receiver_shut);
    RUN(packet_receiver_shut);
    RUN(stream_peer_closed);
    RUN(dgram_peer_closed);
    RUN(packet_peer_closed);
    RUN(stream_peer_closed_with_unread);
    RUN(dgram_peer_closed_with_unread);
    RUN(packet_peer_closed_with_unread);
    RUN(stream_signals);
    RUN(packet_signals);
    RUN(stream_readiness);
    RUN(dgram_readiness);
    RUN(packet_readiness);
    RUN(large_stream);
    RUN(large_message);
    RUN(a_socket_is_no_file);
    RUN(duplicates);
    RUN(names_on_connected_sockets);
    return finish();
}
