// Files that a program makes and changes, in a folder of its own: descriptors, contents, attributes.
#include "transcript.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <utime.h>

static char folder[] = "/tmp/heddle-files-XXXXXX";

static void say_contents(const char *path)
{
    char bytes[64];
    int fd = open(path, O_RDONLY);
    long got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    say("%s: %ld %.*s\n", path, got, got > 0 ? (int)got : 0, bytes);
    if (fd >= 0)
        close(fd);
}

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    long n = write(fd, text, strlen(text));
    say("put %s %ld %d\n", path, n, close(fd));
}

static void say_status(const char *path)
{
    struct stat s;
    if (TRY(lstat(path, &s)))
        return;
    say("%s: mode %o links %ld size %ld own %d\n", path, s.st_mode, S_ISDIR(s.st_mode) ? 0 : (long)s.st_nlink,
        S_ISDIR(s.st_mode) ? 0 : (long)s.st_size, s.st_uid == geteuid());
}

static void opens(void)
{
    TRY(open("none", O_RDONLY));
    TRY(open("none", O_WRONLY));
    TRY(open("", O_RDONLY));
    TRY(open("none/x", O_WRONLY | O_CREAT, 0600));
    int fd = TRY(open("a", O_WRONLY | O_CREAT | O_EXCL, 0640));
    TRY(write(fd, "hello", 5));
    char c;
    TRY(read(fd, &c, 1));
    TRY(close(fd));
    TRY(open("a", O_WRONLY | O_CREAT | O_EXCL, 0640));
    TRY(open("a/", O_RDONLY));
    TRY(open("a/x", O_RDONLY));
    TRY(open("a", O_RDONLY | O_DIRECTORY));
    TRY(open("b/", O_WRONLY | O_CREAT, 0600));
    TRY(open(".", O_WRONLY));
    TRY(open(".", O_RDWR | O_CREAT, 0600));
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[NAME_MAX + 1] = 0;
    TRY(open(name, O_WRONLY | O_CREAT, 0600));
    say_contents("a");
    say_status("a");
    TRY(creat("a", 0600));
    say_status("a");
    TRY(fcntl(3, F_GETFL) & O_ACCMODE);
    TRY(close(3));
    TRY(unlink("a"));
    say_status("a");
}

static void offsets(void)
{
    char bytes[16] = { 0 };
    int fd = TRY(open("o", O_RDWR | O_CREAT | O_TRUNC, 0600));
    TRY(write(fd, "0123456789", 10));
    TRY(lseek(fd, 3, SEEK_SET));
    TRY(read(fd, bytes, 4));
    say_bytes("read", bytes, 4);
    TRY(lseek(fd, -2, SEEK_CUR));
    TRY(lseek(fd, -1, SEEK_END));
    TRY(lseek(fd, -11, SEEK_END));
    TRY(lseek(fd, 0, 77));
    TRY(pread(fd, bytes, 3, 2));
    say_bytes("pread", bytes, 3);
    TRY(pwrite(fd, "xyz", 3, 12));
    TRY(pwrite(fd, "xyz", 3, -1));
    TRY(lseek(fd, 0, SEEK_CUR));
    TRY(lseek(fd, 100, SEEK_SET));
    TRY(read(fd, bytes, 1));
    TRY(write(fd, "!", 1));
    TRY(ftruncate(fd, 14));
    TRY(ftruncate(fd, -1));
    TRY(lseek(fd, 0, SEEK_SET));
    long got = TRY(read(fd, bytes, sizeof bytes));
    say_bytes("all", bytes, got);
    int same = TRY(dup(fd)), other = TRY(open("o", O_RDONLY));
    TRY(lseek(same, 5, SEEK_SET));
    TRY(lseek(fd, 0, SEEK_CUR));
    TRY(lseek(other, 0, SEEK_CUR));
    TRY(write(other, "x", 1));
    TRY(ftruncate(other, 3));
    TRY(close(other));
    TRY(close(same));
    TRY(close(fd));
    TRY(close(fd));
    TRY(read(fd, bytes, 1));
    TRY(unlink("o"));
}

static void vectors(void)
{
    char x[3] = { 0 }, y[8] = { 0 };
    int fd = TRY(open("v", O_RDWR | O_CREAT, 0600));
    struct iovec out[2] = { { "abc", 3 }, { "defgh", 5 } }, in[2] = { { x, 2 }, { y, 8 } };
    TRY(writev(fd, out, 2));
    TRY(lseek(fd, 1, SEEK_SET));
    TRY(readv(fd, in, 2));
    say("%.2s %s\n", x, y);
    TRY(preadv(fd, in, 2, 4));
    TRY(pwritev(fd, out, 1, 6));
    TRY(fsync(fd));
    TRY(fdatasync(fd));
    TRY(close(fd));
    say_contents("v");
    TRY(unlink("v"));
}

static void appends(void)
{
    put("p", "one");
    int a = TRY(open("p", O_WRONLY | O_APPEND)), b = TRY(open("p", O_WRONLY));
    TRY(write(a, "two", 3));
    TRY(write(b, "X", 1));
    TRY(lseek(a, 0, SEEK_SET));
    TRY(write(a, "three", 5));
    TRY(lseek(a, 0, SEEK_CUR));
    TRY(fcntl(b, F_SETFL, O_APPEND));
    TRY(fcntl(b, F_GETFL) & O_APPEND);
    TRY(write(b, "Y", 1));
    say_contents("p");
    TRY(close(a));
    TRY(close(b));
    TRY(truncate("p", 4));
    say_contents("p");
    TRY(truncate("p", 6));
    say_status("p");
    TRY(truncate("p", -1));
    TRY(truncate(".", 0));
    TRY(truncate("none", 0));
    TRY(unlink("p"));
}

static void unlinked_but_open(void)
{
    char bytes[8] = { 0 };
    struct stat s;
    int fd = TRY(open("u", O_RDWR | O_CREAT, 0600));
    TRY(write(fd, "data", 4));
    TRY(unlink("u"));
    TRY(fstat(fd, &s));
    say("links %ld size %ld\n", (long)s.st_nlink, (long)s.st_size);
    TRY(pread(fd, bytes, 8, 0));
    say("%s\n", bytes);
    TRY(access("u", F_OK));
    put("u", "new");
    TRY(write(fd, "+", 1));
    TRY(fstat(fd, &s));
    say("size %ld\n", (long)s.st_size);
    say_contents("u");
    TRY(close(fd));
    TRY(unlink("u"));
    TRY(unlink("u"));
}

/* Of the disk: it is there before, natively and under heddle. */
static void files_of_the_disk(void)
{
    char bytes[8] = { 0 }, again[8] = { 0 };
    struct stat before, after;
    int reader = TRY(open("/etc/passwd", O_RDONLY)), twin = TRY(dup(reader));
    TRY(read(reader, bytes, 4));
    TRY(lseek(twin, 0, SEEK_CUR));
    TRY(fstat(reader, &before));
    TRY(stat("/etc/passwd", &after));
    say("same %d\n", before.st_ino == after.st_ino && before.st_dev == after.st_dev);
    TRY(pread(twin, again, 4, 0));
    say("equal %d\n", !memcmp(bytes, again, 4));
    TRY(close(twin));
    TRY(close(reader));
}

static void modes(void)
{
    struct stat s;
    TRY(umask(027));
    int fd = TRY(open("m", O_WRONLY | O_CREAT, 0666));
    say_status("m");
    TRY(fchmod(fd, 04711));
    say_status("m");
    TRY(chmod("m", 0604));
    TRY(fstat(fd, &s));
    say("%o\n", s.st_mode);
    TRY(mkdir("md", 01777));
    say_status("md");
    TRY(umask(022));
    TRY(chmod("none", 0600));
    TRY(fchmod(77, 0600));
    TRY(chown("m", -1, -1));
    TRY(fchown(fd, geteuid(), getegid()));
    TRY(access("m", R_OK | W_OK));
    TRY(access("m", 64));
    TRY(access("none", F_OK));
    TRY(faccessat(AT_FDCWD, "md", X_OK, 0));
    TRY(chmod("m", 0644));
    TRY(access("m", X_OK));
    TRY(close(fd));
    TRY(unlink("m"));
    TRY(rmdir("md"));
}

static void times(void)
{
    struct stat s;
    struct timespec t[2] = { { 1000, 1 }, { 2000, 2 } };
    put("t", "x");
    TRY(utimensat(AT_FDCWD, "t", t, 0));
    TRY(stat("t", &s));
    say("%ld.%ld %ld.%ld\n", s.st_atim.tv_sec, s.st_atim.tv_nsec, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
    int fd = TRY(open("t", O_WRONLY));
    t[0] = (struct timespec) { 0, UTIME_OMIT };
    t[1] = (struct timespec) { 3000, 3 };
    TRY(futimens(fd, t));
    TRY(fstat(fd, &s));
    say("%ld %ld\n", s.st_atim.tv_sec, s.st_mtim.tv_sec);
    TRY(write(fd, "y", 1));
    TRY(fstat(fd, &s));
    say("later %d\n", s.st_mtim.tv_sec > 3000);
    TRY(close(fd));
    TRY(utime("t", &(struct utimbuf) { 5, 6 }));
    TRY(stat("t", &s));
    say("%ld %ld\n", s.st_atim.tv_sec, s.st_mtim.tv_sec);
    TRY(utimes("t", (struct timeval[]) { { 7, 8 }, { 9, 10 } }));
    TRY(stat("t", &s));
    say("%ld %ld\n", s.st_atim.tv_sec, s.st_mtim.tv_nsec);
    TRY(utimensat(AT_FDCWD, "t", (struct timespec[]) { { 0, 1000000000 }, { 0, 0 } }, 0));
    TRY(utimensat(AT_FDCWD, "none", t, 0));
    TRY(unlink("t"));
}

static void temporary(void)
{
    char name[] = "tXXXXXX", bytes[8] = { 0 };
    struct stat s;
    int fd = TRY(mkstemp(name));
    TRY(write(fd, "abc", 3));
    TRY(stat(name, &s));
    say("%o %ld\n", s.st_mode, (long)s.st_size);
    TRY(close(fd));
    TRY(unlink(name));
    FILE *f = tmpfile();
    say("%d\n", f != NULL);
    TRY(fputs("line\n", f) >= 0);
    rewind(f);
    say("%s", fgets(bytes, sizeof bytes, f));
    TRY(fclose(f));
    fd = TRY(open(".", O_TMPFILE | O_RDWR, 0600));
    if (fd >= 0) {
        TRY(write(fd, "xy", 2));
        TRY(fstat(fd, &s));
        say("%ld %ld\n", (long)s.st_nlink, (long)s.st_size);
        TRY(close(fd));
    }
    TRY(open(".", O_TMPFILE | O_RDONLY, 0600));
}

static void streams(void)
{
    char line[32];
    FILE *f = fopen("s", "w");
    TRY(fprintf(f, "first %d\n", 1));
    TRY(fputs("second\n", f) >= 0);
    TRY(fclose(f));
    f = fopen("s", "a+");
    TRY(fputs("third\n", f) >= 0);
    TRY(fseek(f, 6, SEEK_SET));
    say("%s", fgets(line, sizeof line, f));
    TRY(ftell(f));
    TRY(fclose(f));
    f = fopen("s", "r+");
    TRY(fwrite("F", 1, 1, f));
    TRY(fflush(f));
    TRY(fseek(f, 0, SEEK_END));
    TRY(ftell(f));
    TRY(fclose(f));
    say_contents("s");
    TRY(fopen("s", "wx") ? 0 : -1);
    TRY(fopen("none", "r+") ? 0 : -1);
    TRY(remove("s"));
    TRY(remove("s"));
}

static void descriptor_flags(void)
{
    put("f", "flags");
    int fd = TRY(open("f", O_RDWR | O_CLOEXEC | O_NONBLOCK));
    TRY(fcntl(fd, F_GETFD));
    TRY(fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK | O_APPEND));
    int high = TRY(fcntl(fd, F_DUPFD, 20));
    TRY(fcntl(high, F_GETFD));
    TRY(dup2(fd, 21));
    TRY(dup3(fd, 22, O_CLOEXEC));
    TRY(fcntl(22, F_GETFD));
    TRY(lseek(fd, 2, SEEK_SET));
    TRY(lseek(22, 0, SEEK_CUR));
    TRY(close(fd));
    TRY(close(high));
    TRY(close(21));
    TRY(close(22));
    TRY(unlink("f"));
}

static void sizes(void)
{
    struct stat s;
    int fd = TRY(open("z", O_RDWR | O_CREAT, 0600));
    TRY(posix_fallocate(fd, 0, 5000));
    TRY(fstat(fd, &s));
    say("%ld\n", (long)s.st_size);
    TRY(ftruncate(fd, 1l << 40));
    TRY(fstat(fd, &s));
    say("%ld\n", (long)s.st_size);
    TRY(lseek(fd, 0, SEEK_END) == 1l << 40);
    TRY(close(fd));
    TRY(unlink("z"));
}

static void many(void)
{
    char name[16];
    struct rlimit limit;
    int fds[100];
    TRY(getrlimit(RLIMIT_NOFILE, &limit));
    say("%ld\n", (long)limit.rlim_cur);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "many%d", i);
        fds[i] = open(name, O_WRONLY | O_CREAT, 0600);
        say("%d ", fds[i]);
        say("%ld\n", write(fds[i], name, strlen(name)));
    }
    for (int i = 0; i < 100; i++)
        close(fds[i]);
    say_contents("many57");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "many%d", i);
        say("%d", unlink(name));
    }
    say("\n");
    TRY(sysconf(_SC_OPEN_MAX));
    TRY(close(1500));
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    RUN(opens);
    RUN(offsets);
    RUN(vectors);
    RUN(appends);
    RUN(unlinked_but_open);
    RUN(files_of_the_disk);
    RUN(modes);
    RUN(times);
    RUN(temporary);
    RUN(streams);
    RUN(descriptor_flags);
    RUN(sizes);
    RUN(many);
    if (chdir("/") || rmdir(folder))
        return 1;
    return finish();
}
