// Reading and writing pipes in one thread: sizes, ends, capacity, errors.
#include "transcript.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

static char large[1 << 17], back[1 << 17];

static void shut(int p[2])
{
    close(p[0]);
    close(p[1]);
}

static void order_of_bytes(void)
{
    int p[2];
    char c[16];
    TRY(pipe(p));
    TRY(write(p[1], "hello ", 6));
    TRY(write(p[1], "world", 5));
    long n = TRY(read(p[0], c, sizeof c));
    say_bytes("got", c, n);
    shut(p);
}

static void partial_reads(void)
{
    int p[2];
    char c[16];
    TRY(pipe(p));
    TRY(write(p[1], "abcdef", 6));
    for (int n = 1; n <= 3; n++) {
        long got = TRY(read(p[0], c, (size_t)n));
        say_bytes("got", c, got);
    }
    TRY(write(p[1], "ghi", 3));
    TRY(read(p[0], c, 2));
    TRY(read(p[0], c, 16));
    shut(p);
}

static void end_of_file(void)
{
    int p[2];
    char c[4];
    TRY(pipe(p));
    TRY(write(p[1], "xy", 2));
    TRY(close(p[1]));
    TRY(read(p[0], c, 1));
    TRY(read(p[0], c, 4));
    TRY(read(p[0], c, 4));
    TRY(read(p[0], c, 4));
    close(p[0]);
}

static void nothing_to_read(void)
{
    int p[2];
    char c;
    TRY(pipe2(p, O_NONBLOCK));
    TRY(read(p[0], &c, 1));
    TRY(read(p[0], &c, 0));
    TRY(write(p[1], &c, 0));
    TRY(read(p[0], &c, 1));
    TRY(close(p[1]));
    TRY(read(p[0], &c, 1));
    close(p[0]);
}

static void no_reader(void)
{
    int p[2];
    TRY(pipe(p));
    signal(SIGPIPE, SIG_IGN);
    TRY(close(p[0]));
    TRY(write(p[1], "x", 1));
    TRY(write(p[1], "x", 0));
    TRY(write(p[1], large, sizeof large));
    close(p[1]);
    signal(SIGPIPE, SIG_DFL);
}

static int signals;

static void count(int signal)
{
    signals += signal == SIGPIPE;
}

static void handler_of_sigpipe(void)
{
    int p[2];
    signals = 0;
    TRY(pipe(p));
    signal(SIGPIPE, count);
    TRY(close(p[0]));
    TRY(write(p[1], "x", 1));
    TRY(write(p[1], "x", 1));
    say("%d signals\n", signals);
    close(p[1]);
    signal(SIGPIPE, SIG_DFL);
}

static void blocked_sigpipe(void)
{
    int p[2];
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    signals = 0;
    TRY(pipe(p));
    signal(SIGPIPE, count);
    sigprocmask(SIG_BLOCK, &set, NULL);
    TRY(close(p[0]));
    TRY(write(p[1], "x", 1));
    sigpending(&pending);
    say("%d signals, pending %d\n", signals, sigismember(&pending, SIGPIPE));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    say("%d signals\n", signals);
    close(p[1]);
    signal(SIGPIPE, SIG_DFL);
}

static void no_reader_without_waiting(void)
{
    int p[2];
    signal(SIGPIPE, SIG_IGN);
    TRY(pipe2(p, O_NONBLOCK));
    TRY(write(p[1], "x", 1));
    TRY(close(p[0]));
    TRY(write(p[1], "x", 1));
    close(p[1]);
    signal(SIGPIPE, SIG_DFL);
}

/* Fills a pipe with writes of the size; how many bytes it takes. */
static void fill(size_t size)
{
    int p[2], n;
    long total = 0, done;
    TRY(pipe2(p, O_NONBLOCK));
    while ((done = write(p[1], large, size)) > 0)
        total += done;
    said("last", done);
    say("%zu: %ld bytes\n", size, total);
    TRY(ioctl(p[0], FIONREAD, &n));
    say("%d\n", n);
    TRY(write(p[1], large, 1));
    TRY(read(p[0], back, 1));
    TRY(write(p[1], large, 1));
    TRY(read(p[0], back, 4096));
    TRY(write(p[1], large, 1));
    TRY(write(p[1], large, 5000));
    TRY(read(p[0], back, sizeof back));
    TRY(read(p[0], back, sizeof back));
    shut(p);
}

static void capacity_by_pages(void)
{
    fill(4096);
}

static void capacity_by_two_pages(void)
{
    fill(8192);
}

static void capacity_by_thousands(void)
{
    fill(1000);
}

static void capacity_by_hundreds(void)
{
    fill(100);
}

static void capacity_by_3000(void)
{
    fill(3000);
}

static void capacity_by_5000(void)
{
    fill(5000);
}

static void capacity_by_4097(void)
{
    fill(4097);
}

static void capacity_by_one_write(void)
{
    fill(65536);
}

static void capacity_by_a_larger_write(void)
{
    fill(100000);
}

static void large_data_is_kept(void)
{
    int p[2];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * 7 + i / 251);
    TRY(pipe(p));
    TRY(write(p[1], large, 10000));
    TRY(write(p[1], large + 10000, 7));
    TRY(write(p[1], large + 10007, 50000));
    TRY(read(p[0], back, 3));
    TRY(read(p[0], back + 3, 4097));
    TRY(read(p[0], back + 4100, sizeof back - 4100));
    say("%d\n", memcmp(large, back, 60007));
    memset(large, 0, sizeof large);
    shut(p);
}

static void short_write_into_little_room(void)
{
    int p[2];
    TRY(pipe2(p, O_NONBLOCK));
    TRY(write(p[1], large, 65000));
    TRY(write(p[1], large, 600));
    TRY(write(p[1], large, 500));
    TRY(write(p[1], large, 36));
    TRY(write(p[1], large, 1));
    TRY(write(p[1], large, 8000));
    TRY(read(p[0], back, 4095));
    TRY(write(p[1], large, 8000));
    TRY(read(p[0], back, 1));
    TRY(write(p[1], large, 8000));
    shut(p);
}

static void bytes_available(void)
{
    int p[2], n = -1;
    TRY(pipe(p));
    TRY(ioctl(p[0], FIONREAD, &n));
    say("%d\n", n);
    TRY(write(p[1], "abc", 3));
    TRY(ioctl(p[0], FIONREAD, &n));
    say("%d\n", n);
    TRY(ioctl(p[1], FIONREAD, &n));
    say("%d\n", n);
    TRY(read(p[0], back, 2));
    TRY(ioctl(p[0], FIONREAD, &n));
    say("%d\n", n);
    shut(p);
}

static void vectors(void)
{
    int p[2];
    char a[3] = "", b[5] = "";
    struct iovec out[] = { { "one", 3 }, { "", 0 }, { "three", 5 } };
    struct iovec in[] = { { a, 3 }, { b, 5 } };
    TRY(pipe(p));
    TRY(writev(p[1], out, 3));
    TRY(readv(p[0], in, 2));
    say("%.3s %.5s\n", a, b);
    TRY(writev(p[1], out, 1));
    memset(a, '-', 3);
    memset(b, '-', 5);
    in[0].iov_len = 2;
    TRY(readv(p[0], in, 2));
    say("%.3s %.5s\n", a, b);
    shut(p);
}

static void bad_vectors(void)
{
    int p[2];
    char c;
    struct iovec one = { &c, 1 }, huge[] = { { &c, 1 }, { &c, SIZE_MAX } };
    TRY(pipe2(p, O_NONBLOCK));
    TRY(writev(p[1], &one, -1));
    TRY(readv(p[0], &one, -1));
    TRY(writev(p[1], &one, 0));
    TRY(readv(p[0], &one, 0));
    TRY(writev(p[1], &one, 1025));
    TRY(writev(p[1], huge, 2));
    TRY(readv(p[1], &one, 1));
    TRY(writev(p[0], &one, 1));
    TRY(readv(-1, &one, 1));
    TRY(writev(99, &one, 1));
    TRY(readv(p[0], &one, 1));
    shut(p);
}

static void flags_of_pipe2(void)
{
    int p[2] = { -7, -7 };
    TRY(pipe2(p, O_APPEND));
    TRY(pipe2(p, O_RDWR));
    say("%d %d\n", p[0], p[1]);
    TRY(pipe2(p, O_NONBLOCK));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_GETFL));
    shut(p);
    TRY(pipe2(p, O_CLOEXEC | O_NONBLOCK));
    TRY(fcntl(p[0], F_GETFD));
    TRY(fcntl(p[1], F_GETFL));
    shut(p);
}

static void size_of_a_pipe(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(fcntl(p[0], F_GETPIPE_SZ));
    TRY(fcntl(p[1], F_GETPIPE_SZ));
    shut(p);
}

static void printed_to_a_pipe(void)
{
    int p[2];
    char c[16];
    TRY(pipe(p));
    TRY(dprintf(p[1], "%d-%s", 42, "x"));
    long n = TRY(read(p[0], c, sizeof c));
    say("%.*s\n", (int)n, c);
    shut(p);
}

int main(void)
{
    RUN(order_of_bytes);
    RUN(partial_reads);
    RUN(end_of_file);
    RUN(nothing_to_read);
    RUN(no_reader);
    RUN(handler_of_sigpipe);
    RUN(blocked_sigpipe);
    RUN(no_reader_without_waiting);
    RUN(capacity_by_pages);
    RUN(capacity_by_two_pages);
    RUN(capacity_by_thousands);
    RUN(capacity_by_hundreds);
    RUN(capacity_by_3000);
    RUN(capacity_by_5000);
    RUN(capacity_by_4097);
    RUN(capacity_by_one_write);
    RUN(capacity_by_a_larger_write);
    RUN(large_data_is_kept);
    RUN(short_write_into_little_room);
    RUN(bytes_available);
    RUN(vectors);
    RUN(bad_vectors);
    RUN(flags_of_pipe2);
    RUN(size_of_a_pipe);
    RUN(printed_to_a_pipe);
    return finish();
}
