// Numbers of descriptors, their duplicates and their flags.
#include "transcript.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void close_all(int *fds, int n)
{
    for (int i = 0; i < n; i++)
        close(fds[i]);
}

static void numbers_are_the_lowest_free(void)
{
    int a[2], b[2], c[2];
    TRY(pipe(a));
    TRY(pipe(b));
    say("%d %d %d %d\n", a[0], a[1], b[0], b[1]);
    TRY(close(a[1]));
    TRY(close(b[0]));
    TRY(pipe(c));
    say("%d %d\n", c[0], c[1]);
    close_all((int[]) { a[0], b[1], c[0], c[1] }, 4);
}

static void files_and_pipes_share_numbers(void)
{
    int a[2], b[2];
    TRY(pipe(a));
    int file = TRY(open("/dev/null", O_RDONLY));
    TRY(pipe(b));
    TRY(close(file));
    TRY(dup(b[0]));
    TRY(close(file));
    TRY(open("/dev/null", O_RDONLY));
    close_all((int[]) { a[0], a[1], b[0], b[1], file }, 5);
}

static void close_twice(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(close(p[0]));
    TRY(close(p[0]));
    TRY(close(p[1]));
    TRY(close(p[1]));
}

static void close_of_no_number(void)
{
    TRY(close(-1));
    TRY(close(77));
    TRY(close(100000));
}

static void closed_descriptor_in_all_calls(void)
{
    int p[2], n;
    char c;
    TRY(pipe(p));
    close_all(p, 2);
    TRY(read(p[0], &c, 1));
    TRY(write(p[1], &c, 1));
    TRY(dup(p[0]));
    TRY(dup2(p[0], 9));
    TRY(dup3(p[0], 9, 0));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[0], F_SETFL, O_NONBLOCK));
    TRY(fcntl(p[0], F_GETFD));
    TRY(fcntl(p[0], F_SETFD, FD_CLOEXEC));
    TRY(fcntl(p[0], F_DUPFD, 0));
    TRY(ioctl(p[0], FIONREAD, &n));
    struct stat s;
    TRY(fstat(p[0], &s));
    TRY(lseek(p[0], 0, SEEK_CUR));
}

static void negative_descriptor_in_all_calls(void)
{
    char c;
    TRY(read(-1, &c, 1));
    TRY(write(-1, &c, 1));
    TRY(dup(-1));
    TRY(dup2(-1, 9));
    TRY(fcntl(-1, F_GETFL));
    TRY(fcntl(-1, F_GETFD));
}

static void dup_shares_the_pipe(void)
{
    int p[2];
    char c[4] = "";
    TRY(pipe(p));
    int w = TRY(dup(p[1]));
    int r = TRY(dup(p[0]));
    TRY(write(w, "ab", 2));
    TRY(write(p[1], "cd", 2));
    TRY(read(r, c, 3));
    say("%.3s\n", c);
    TRY(read(p[0], c, 3));
    say("%.1s\n", c);
    close_all((int[]) { p[0], p[1], w, r }, 4);
}

static void last_duplicate_closes_the_end(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    int w = TRY(dup(p[1]));
    TRY(close(p[1]));
    TRY(write(w, "x", 1));
    TRY(read(p[0], &c, 1));
    TRY(fcntl(p[0], F_SETFL, O_NONBLOCK));
    TRY(read(p[0], &c, 1));
    TRY(close(w));
    TRY(read(p[0], &c, 1));
    close(p[0]);
}

static void dup2_to_a_free_number(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    TRY(dup2(p[1], 20));
    TRY(write(20, "x", 1));
    TRY(read(p[0], &c, 1));
    TRY(dup(p[0]));
    close_all((int[]) { p[0], p[1], 20, 5 }, 4);
}

static void dup2_to_itself(void)
{
    int p[2];
    TRY(pipe2(p, O_CLOEXEC));
    TRY(dup2(p[0], p[0]));
    TRY(fcntl(p[0], F_GETFD));
    TRY(dup3(p[0], p[0], 0));
    close_all(p, 2);
}

static void dup2_replaces_another_pipe(void)
{
    int a[2], b[2];
    char c = 0;
    TRY(pipe(a));
    TRY(pipe(b));
    TRY(write(b[1], "b", 1));
    TRY(dup2(b[0], a[0]));
    TRY(read(a[0], &c, 1));
    say("%c\n", c);
    signed char ignored = 0;
    (void)ignored;
    close_all((int[]) { a[0], a[1], b[0], b[1] }, 4);
}

static void dup2_replaces_the_last_writer(void)
{
    int a[2], b[2];
    char c = 0;
    TRY(pipe(a));
    TRY(pipe(b));
    TRY(dup2(b[1], a[1]));
    TRY(read(a[0], &c, 1));
    TRY(write(a[1], "z", 1));
    TRY(read(b[0], &c, 1));
    say("%c\n", c);
    close_all((int[]) { a[0], a[1], b[0], b[1] }, 4);
}

static void dup2_of_a_pipe_to_a_file(void)
{
    int p[2];
    char c = 0;
    TRY(pipe(p));
    int file = TRY(open("/dev/null", O_RDONLY));
    TRY(write(p[1], "q", 1));
    TRY(dup2(p[0], file));
    TRY(read(file, &c, 1));
    say("%c\n", c);
    close_all((int[]) { p[0], p[1], file }, 3);
}

static void dup2_of_a_file_to_a_pipe(void)
{
    int p[2];
    char c = 0;
    TRY(pipe(p));
    int file = TRY(open("/dev/null", O_RDONLY));
    TRY(dup2(file, p[1]));
    TRY(read(p[1], &c, 1));
    TRY(read(p[0], &c, 1));
    close_all((int[]) { p[0], p[1], file }, 3);
}

static void dup2_to_bad_numbers(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(dup2(p[0], -1));
    TRY(dup2(p[0], 1 << 30));
    TRY(dup3(p[0], -1, 0));
    close_all(p, 2);
}

static void dup3_flags(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(dup3(p[0], 12, O_CLOEXEC));
    TRY(fcntl(12, F_GETFD));
    TRY(dup3(p[0], 13, 0));
    TRY(fcntl(13, F_GETFD));
    TRY(dup3(p[0], 14, O_NONBLOCK));
    TRY(dup3(p[0], 14, O_RDWR));
    TRY(fcntl(14, F_GETFD));
    close_all((int[]) { p[0], p[1], 12, 13 }, 4);
}

static void f_dupfd(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(fcntl(p[0], F_DUPFD, 0));
    TRY(fcntl(p[0], F_DUPFD, 10));
    TRY(fcntl(p[0], F_DUPFD, 10));
    TRY(fcntl(p[0], F_DUPFD_CLOEXEC, 10));
    TRY(fcntl(11, F_GETFD));
    TRY(fcntl(12, F_GETFD));
    TRY(fcntl(p[0], F_DUPFD, -1));
    TRY(fcntl(p[0], F_DUPFD, 1 << 30));
    close_all((int[]) { p[0], p[1], 5, 10, 11, 12 }, 6);
}

static void close_on_exec(void)
{
    int p[2];
    TRY(pipe2(p, O_CLOEXEC));
    TRY(fcntl(p[0], F_GETFD));
    TRY(fcntl(p[1], F_GETFD));
    TRY(fcntl(p[0], F_SETFD, 0));
    TRY(fcntl(p[0], F_GETFD));
    TRY(fcntl(p[1], F_GETFD));
    int copy = TRY(dup(p[1]));
    TRY(fcntl(copy, F_GETFD));
    TRY(ioctl(copy, FIOCLEX));
    TRY(fcntl(copy, F_GETFD));
    TRY(ioctl(copy, FIONCLEX));
    TRY(fcntl(copy, F_GETFD));
    close_all((int[]) { p[0], p[1], copy }, 3);
}

static void status_flags_belong_to_the_description(void)
{
    int p[2];
    TRY(pipe(p));
    int copy = TRY(dup(p[0]));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_GETFL));
    TRY(fcntl(copy, F_SETFL, O_NONBLOCK));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_GETFL));
    TRY(fcntl(p[0], F_SETFL, 0));
    TRY(fcntl(copy, F_GETFL));
    close_all((int[]) { p[0], p[1], copy }, 3);
}

static void access_mode_does_not_change(void)
{
    int p[2];
    TRY(pipe(p));
    TRY(fcntl(p[0], F_SETFL, O_WRONLY | O_NONBLOCK));
    TRY(fcntl(p[0], F_GETFL));
    TRY(fcntl(p[1], F_SETFL, O_RDONLY | O_APPEND));
    TRY(fcntl(p[1], F_GETFL));
    close_all(p, 2);
}

static void fionbio(void)
{
    int p[2], on = 1, off = 0;
    char c;
    TRY(pipe(p));
    TRY(ioctl(p[0], FIONBIO, &on));
    TRY(fcntl(p[0], F_GETFL));
    TRY(read(p[0], &c, 1));
    TRY(ioctl(p[0], FIONBIO, &off));
    TRY(fcntl(p[0], F_GETFL));
    close_all(p, 2);
}

static void a_pipe_is_no_file(void)
{
    int p[2];
    char c;
    struct stat s;
    TRY(pipe(p));
    TRY(lseek(p[0], 0, SEEK_SET));
    TRY(lseek(p[1], 0, SEEK_CUR));
    TRY(pread(p[0], &c, 1, 0));
    TRY(pwrite(p[1], &c, 1, 0));
    TRY(ftruncate(p[1], 0));
    TRY(fstat(p[0], &s));
    say("%o %ld\n", (unsigned)s.st_mode, (long)s.st_size);
    TRY(fstat(p[1], &s));
    say("%o\n", (unsigned)s.st_mode & S_IFMT);
    close_all(p, 2);
}

static void wrong_end(void)
{
    int p[2];
    char c = 0;
    TRY(pipe(p));
    TRY(write(p[0], &c, 1));
    TRY(read(p[1], &c, 1));
    TRY(write(p[0], &c, 0));
    TRY(read(p[1], &c, 0));
    close_all(p, 2);
}

/* The limit is the process's: the case comes last. */
static void no_numbers_left(void)
{
    int p[2] = { -1, -1 }, q[2];
    struct rlimit few = { 7, 7 };
    TRY(setrlimit(RLIMIT_NOFILE, &few));
    TRY(pipe(p));
    TRY(dup(p[0]));
    TRY(pipe(q));
    TRY(dup(p[0]));
    TRY(dup(p[0]));
    TRY(pipe(q));
    TRY(fcntl(p[0], F_DUPFD, 0));
    TRY(fcntl(p[0], F_DUPFD, 7));
    TRY(dup2(p[0], 6));
    TRY(dup2(p[0], 7));
    TRY(dup3(p[0], 7, 0));
    TRY(close(5));
    TRY(pipe(q));
    TRY(dup(p[1]));
}

int main(void)
{
    RUN(numbers_are_the_lowest_free);
    RUN(files_and_pipes_share_numbers);
    RUN(close_twice);
    RUN(close_of_no_number);
    RUN(closed_descriptor_in_all_calls);
    RUN(negative_descriptor_in_all_calls);
    RUN(dup_shares_the_pipe);
    RUN(last_duplicate_closes_the_end);
    RUN(dup2_to_a_free_number);
    RUN(dup2_to_itself);
    RUN(dup2_replaces_another_pipe);
    RUN(dup2_replaces_the_last_writer);
    RUN(dup2_of_a_pipe_to_a_file);
    RUN(dup2_of_a_file_to_a_pipe);
    RUN(dup2_to_bad_numbers);
    RUN(dup3_flags);
    RUN(f_dupfd);
    RUN(close_on_exec);
    RUN(status_flags_belong_to_the_description);
    RUN(access_mode_does_not_change);
    RUN(fionbio);
    RUN(a_pipe_is_no_file);
    RUN(wrong_end);
    RUN(no_numbers_left);
    return finish();
}
