// Calls that wait for another thread: whatever the schedule is, their results are the same.
// THREADS: 1
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>

static int p[2], q[2];
static char large[1 << 17];

/* Runs `other` in a thread while the case goes on. */
static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void shut(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static void *write_three(void *unused)
{
    write(p[1], "abc", 3);
    return unused;
}

static void read_waits_for_a_write(void)
{
    char c[8];
    TRY(pipe(p));
    pthread_t t = begin(write_three);
    long n = TRY(read(p[0], c, 8));
    say_bytes("got", c, n);
    pthread_join(t, NULL);
    shut(p);
}

static void *close_writer(void *unused)
{
    close(p[1]);
    return unused;
}

static void read_waits_for_the_end(void)
{
    char c[8];
    TRY(pipe(p));
    pthread_t t = begin(close_writer);
    TRY(read(p[0], c, 8));
    pthread_join(t, NULL);
    close(p[0]);
}

static void *read_page(void *unused)
{
    static char page[4096];
    read(p[0], page, sizeof page);
    return unused;
}

static void write_waits_for_room(void)
{
    TRY(pipe(p));
    TRY(write(p[1], large, 65536));
    pthread_t t = begin(read_page);
    TRY(write(p[1], large, 4096));
    pthread_join(t, NULL);
    shut(p);
}

static void *close_reader(void *unused)
{
    close(p[0]);
    return unused;
}

static void blocked_write_without_reader(void)
{
    TRY(pipe(p));
    TRY(write(p[1], large, 65536));
    pthread_t t = begin(close_reader);
    TRY(write(p[1], large, 10));
    pthread_join(t, NULL);
    close(p[1]);
}

static void poll_waits_for_data(void)
{
    struct pollfd one = { 0 };
    TRY(pipe(p));
    one = (struct pollfd) { p[0], POLLIN, 0 };
    pthread_t t = begin(write_three);
    TRY(poll(&one, 1, -1));
    say("%x\n", one.revents);
    pthread_join(t, NULL);
    shut(p);
}

static void poll_waits_for_the_end(void)
{
    TRY(pipe(p));
    struct pollfd one = { p[0], POLLIN, 0 };
    pthread_t t = begin(close_writer);
    TRY(poll(&one, 1, -1));
    say("%x\n", one.revents);
    pthread_join(t, NULL);
    close(p[0]);
}

static void poll_waits_for_room(void)
{
    TRY(pipe(p));
    TRY(write(p[1], large, 65536));
    struct pollfd one = { p[1], POLLOUT, 0 };
    pthread_t t = begin(read_page);
    TRY(poll(&one, 1, -1));
    say("%x\n", one.revents);
    pthread_join(t, NULL);
    shut(p);
}

static void poll_waits_for_the_reader_to_go(void)
{
    TRY(pipe(p));
    TRY(write(p[1], large, 65536));
    struct pollfd one = { p[1], POLLOUT, 0 };
    pthread_t t = begin(close_reader);
    TRY(poll(&one, 1, -1));
    say("%x\n", one.revents);
    pthread_join(t, NULL);
    close(p[1]);
}

static void select_waits_for_data(void)
{
    fd_set set;
    TRY(pipe(p));
    FD_ZERO(&set);
    FD_SET(p[0], &set);
    pthread_t t = begin(write_three);
    TRY(select(p[0] + 1, &set, NULL, NULL, NULL));
    say("%d\n", FD_ISSET(p[0], &set));
    pthread_join(t, NULL);
    shut(p);
}

static void *send_two(void *unused)
{
    send(q[0], "xy", 2, 0);
    return unused;
}

static void receive_waits(int type)
{
    char c[8];
    TRY(socketpair(AF_UNIX, type, 0, q));
    pthread_t t = begin(send_two);
    TRY(recv(q[1], c, 8, 0));
    pthread_join(t, NULL);
    shut(q);
}

static void stream_receive_waits(void)
{
    receive_waits(SOCK_STREAM);
}

static void dgram_receive_waits(void)
{
    receive_waits(SOCK_DGRAM);
}

static void packet_receive_waits(void)
{
    receive_waits(SOCK_SEQPACKET);
}

static void peek_waits(void)
{
    char c[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, q));
    pthread_t t = begin(send_two);
    TRY(recv(q[1], c, 8, MSG_PEEK));
    TRY(recv(q[1], c, 1, 0));
    TRY(recv(q[1], c, 8, 0));
    pthread_join(t, NULL);
    shut(q);
}

static void *shut_sending(void *unused)
{
    shutdown(q[0], SHUT_WR);
    return unused;
}

static void receive_waits_for_the_end(void)
{
    char c[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, q));
    pthread_t t = begin(shut_sending);
    TRY(recv(q[1], c, 8, 0));
    TRY(send(q[1], "z", 1, 0));
    TRY(recv(q[0], c, 8, 0));
    pthread_join(t, NULL);
    shut(q);
}

static void *shut_receiving(void *unused)
{
    shutdown(q[1], SHUT_RD);
    return unused;
}

static void own_shutdown_ends_the_wait(int type)
{
    char c[8];
    TRY(socketpair(AF_UNIX, type, 0, q));
    pthread_t t = begin(shut_receiving);
    TRY(recv(q[1], c, 8, 0));
    pthread_join(t, NULL);
    shut(q);
}

static void stream_own_shutdown(void)
{
    own_shutdown_ends_the_wait(SOCK_STREAM);
}

static void dgram_own_shutdown(void)
{
    own_shutdown_ends_the_wait(SOCK_DGRAM);
}

static void *close_peer(void *unused)
{
    close(q[0]);
    return unused;
}

static void receive_waits_for_the_peer_to_close(void)
{
    char c[8];
    TRY(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, q));
    pthread_t t = begin(close_peer);
    TRY(recv(q[1], c, 8, 0));
    pthread_join(t, NULL);
    close(q[1]);
}

static void reset_ends_the_wait(void)
{
    char c[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, q));
    TRY(send(q[1], "unread", 6, 0));
    pthread_t t = begin(close_peer);
    TRY(recv(q[1], c, 8, 0));
    TRY(recv(q[1], c, 8, 0));
    pthread_join(t, NULL);
    close(q[1]);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    RUN(read_waits_for_a_write);
    RUN(read_waits_for_the_end);
    RUN(write_waits_for_room);
    RUN(blocked_write_without_reader);
    RUN(poll_waits_for_data);
    RUN(poll_waits_for_the_end);
    RUN(poll_waits_for_room);
    RUN(poll_waits_for_the_reader_to_go);
    RUN(select_waits_for_data);
    RUN(stream_receive_waits);
    RUN(dgram_receive_waits);
    RUN(packet_receive_waits);
    RUN(peek_waits);
    RUN(receive_waits_for_the_end);
    RUN(stream_own_shutdown);
    RUN(dgram_own_shutdown);
    RUN(receive_waits_for_the_peer_to_close);
    RUN(reset_ends_the_wait);
    return finish();
}
