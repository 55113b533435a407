// FIFOs in one thread: making them, opening them without waiting, what calls on them do.
#include "transcript.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

static const char name[] = "fifo";

static void say_kind(const char *path)
{
    struct stat s;
    if (!TRY(lstat(path, &s)))
        say("%o links %ld size %ld\n", s.st_mode, (long)s.st_nlink, (long)s.st_size);
}

static void remake(void)
{
    unlink(name);
    mkfifo(name, 0600);
}

static void making(void)
{
    TRY(mkfifo(name, 0640));
    say_kind(name);
    TRY(mkfifo(name, 0640));
    TRY(mkfifo("none/fifo", 0600));
    TRY(mkfifo("", 0600));
    TRY(mkfifo("fifo/x", 0600));
    TRY(mkfifo("new/", 0600));
    char longest[NAME_MAX + 2];
    memset(longest, 'n', sizeof longest);
    longest[NAME_MAX + 1] = 0;
    TRY(mkfifo(longest, 0600));
    TRY(access(name, R_OK));
    TRY(unlink(name));
    TRY(unlink(name));
    say_kind(name);
}

static void other_ways_to_make_one(void)
{
    TRY(mknod(name, S_IFIFO | 0600, 0));
    say_kind(name);
    TRY(mknod(name, S_IFIFO | 0600, 0));
    TRY(unlink(name));
    TRY(mkfifoat(AT_FDCWD, name, 0604));
    say_kind(name);
    TRY(unlink(name));
    mkdir("folder", 0700);
    int folder = open("folder", O_RDONLY | O_DIRECTORY);
    TRY(mkfifoat(folder, name, 0600));
    say_kind("folder/fifo");
    TRY(mkfifoat(folder, name, 0600));
    TRY(mknodat(folder, "other", S_IFIFO | 0600, 0));
    TRY(mkfifoat(-1, name, 0600));
    TRY(unlink("folder/other"));
    TRY(unlink("folder/fifo"));
    close(folder);
    TRY(rmdir("folder"));
    TRY(mknod("plain", S_IFREG | 0600, 0));
    say_kind("plain");
    TRY(unlink("plain"));
    TRY(mknod("folder", S_IFDIR | 0700, 0));
}

static void the_mask_counts(void)
{
    mode_t before = umask(027);
    TRY(mkfifo(name, 0666));
    umask(before);
    say_kind(name);
    TRY(chmod(name, 0622));
    say_kind(name);
    unlink(name);
}

static void names(void)
{
    remake();
    TRY(rename(name, "other"));
    TRY(link("other", "second"));
    say_kind("second");
    TRY(symlink("other", "soft"));
    int a = TRY(open("soft", O_RDONLY | O_NONBLOCK)), b = TRY(open("second", O_WRONLY | O_NONBLOCK));
    TRY(write(b, "abc", 3));
    char c[4];
    TRY(read(a, c, 4));
    TRY(open("soft", O_RDONLY | O_NONBLOCK | O_NOFOLLOW));
    TRY(unlink("soft"));
    TRY(unlink("second"));
    TRY(unlink("other"));
    TRY(write(b, "de", 2)); /* it lives as long as a descriptor */
    TRY(read(a, c, 4));
    close(a);
    close(b);
}

static void opening_without_waiting(void)
{
    remake();
    TRY(open(name, O_WRONLY | O_NONBLOCK));
    int r = TRY(open(name, O_RDONLY | O_NONBLOCK)), w = TRY(open(name, O_WRONLY | O_NONBLOCK));
    TRY(close(r));
    TRY(open(name, O_WRONLY | O_NONBLOCK));
    TRY(close(w));
    int b = TRY(open(name, O_RDWR));
    w = TRY(open(name, O_WRONLY | O_NONBLOCK));
    r = TRY(open(name, O_RDONLY));
    close(b);
    close(r);
    close(w);
    TRY(open(name, O_WRONLY | O_NONBLOCK));
}

static void opening_fails(void)
{
    remake();
    TRY(open(name, O_RDONLY | O_NONBLOCK | O_DIRECTORY));
    TRY(open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
    TRY(open("fifo/", O_RDONLY | O_NONBLOCK));
    TRY(open("fifo/x", O_RDONLY | O_NONBLOCK));
    TRY(open("none", O_RDONLY | O_NONBLOCK));
    int fd = TRY(open(name, O_RDWR | O_CREAT | O_TRUNC, 0600));
    close(fd);
}

static void reading(void)
{
    char c[4];
    remake();
    int r = open(name, O_RDONLY | O_NONBLOCK);
    TRY(read(r, c, 4)); /* the end: there is no writer */
    int w = open(name, O_WRONLY);
    TRY(read(r, c, 4));
    TRY(write(w, "abcdef", 6));
    TRY(read(r, c, 4));
    say_bytes("got", c, 4);
    TRY(close(w));
    TRY(read(r, c, 4));
    TRY(read(r, c, 4));
    w = open(name, O_WRONLY);
    TRY(read(r, c, 4));
    TRY(write(r, "x", 1));
    TRY(read(w, c, 1));
    close(w);
    close(r);
}

static void writing(void)
{
    remake();
    signal(SIGPIPE, SIG_IGN);
    int r = open(name, O_RDONLY | O_NONBLOCK), w = open(name, O_WRONLY);
    TRY(close(r));
    TRY(write(w, "abc", 3));
    r = open(name, O_RDONLY | O_NONBLOCK);
    TRY(write(w, "abc", 3));
    char c[8];
    TRY(read(r, c, 8));
    close(r);
    close(w);
    signal(SIGPIPE, SIG_DFL);
}

static void full(void)
{
    static char many[70000];
    remake();
    int r = open(name, O_RDONLY | O_NONBLOCK), w = open(name, O_WRONLY | O_NONBLOCK);
    TRY(write(w, many, sizeof many));
    TRY(write(w, many, 1));
    int n;
    TRY(ioctl(r, FIONREAD, &n));
    say("%d\n", n);
    TRY(read(r, many, 4096));
    TRY(write(w, many, 1));
    TRY(fcntl(w, F_GETPIPE_SZ));
    close(r);
    close(w);
}

static void what_is_left_is_lost(void)
{
    char c[4];
    remake();
    int b = open(name, O_RDWR | O_NONBLOCK);
    TRY(write(b, "abc", 3));
    int r = open(name, O_RDONLY | O_NONBLOCK);
    close(b);
    TRY(read(r, c, 1)); /* a reader is left */
    close(r);
    b = open(name, O_RDWR | O_NONBLOCK);
    TRY(read(b, c, 4));
    close(b);
}

static void several_at_both_ends(void)
{
    char c[4];
    remake();
    int r = open(name, O_RDONLY | O_NONBLOCK), s = open(name, O_RDONLY | O_NONBLOCK);
    int w = open(name, O_WRONLY), x = open(name, O_WRONLY);
    TRY(write(w, "ab", 2));
    TRY(write(x, "cd", 2));
    TRY(read(r, c, 3));
    TRY(read(s, c, 3));
    TRY(close(w));
    TRY(read(r, c, 3));
    TRY(close(x));
    TRY(read(r, c, 3));
    TRY(read(s, c, 3));
    close(r);
    close(s);
}

static void for_both(void)
{
    char c[4];
    remake();
    int b = open(name, O_RDWR | O_NONBLOCK);
    TRY(read(b, c, 4));
    TRY(write(b, "abc", 3));
    TRY(read(b, c, 4));
    TRY(read(b, c, 4));
    close(b);
}

static void descriptors(void)
{
    remake();
    struct stat s, t;
    int r = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC), w = open(name, O_WRONLY);
    TRY(fcntl(r, F_GETFL));
    TRY(fcntl(w, F_GETFL));
    TRY(fcntl(r, F_GETFD));
    TRY(fcntl(w, F_GETFD));
    TRY(fstat(r, &s));
    TRY(stat(name, &t));
    say("%o %d\n", s.st_mode, s.st_ino == t.st_ino && s.st_dev == t.st_dev);
    TRY(lseek(r, 0, SEEK_CUR));
    int d = TRY(dup(w));
    TRY(close(w));
    TRY(write(d, "a", 1));
    char c[2];
    TRY(read(r, c, 2));
    TRY(read(r, c, 2));
    TRY(close(d));
    TRY(read(r, c, 2));
    close(r);
}

static void polls(void)
{
    char c[4];
    remake();
    int r = open(name, O_RDONLY | O_NONBLOCK), w = open(name, O_WRONLY);
    struct pollfd p[] = { { r, POLLIN, 0 }, { w, POLLOUT, 0 } };
    TRY(poll(p, 2, 0));
    say("%x %x\n", p[0].revents, p[1].revents);
    TRY(write(w, "abc", 3));
    TRY(poll(p, 2, 0));
    say("%x %x\n", p[0].revents, p[1].revents);
    TRY(close(w));
    TRY(poll(p, 1, -1));
    say("%x\n", p[0].revents);
    TRY(read(r, c, 4));
    TRY(poll(p, 1, -1));
    say("%x\n", p[0].revents);
    w = open(name, O_WRONLY);
    TRY(poll(p, 1, 0));
    TRY(close(r));
    p[1].fd = w;
    TRY(poll(p + 1, 1, 0));
    say("%x\n", p[1].revents);
    close(w);
}

int main(void)
{
    char folder[] = "/tmp/heddle-fifos-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    RUN(making);
    RUN(other_ways_to_make_one);
    RUN(the_mask_counts);
    RUN(names);
    RUN(opening_without_waiting);
    RUN(opening_fails);
    RUN(reading);
    RUN(writing);
    RUN(full);
    RUN(what_is_left_is_lost);
    RUN(several_at_both_ends);
    RUN(for_both);
    RUN(descriptors);
    RUN(polls);
    unlink(name);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
