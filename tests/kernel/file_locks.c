// Locks of files in one thread: flock, lockf, record locks and locks of open files, which exclude each other.
#include "transcript.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char name[] = "locked", other[] = "other";

static int make(const char *path)
{
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    TRY(write(fd, "0123456789", 10));
    return fd;
}

static struct flock range(short type, long start, long length)
{
    return (struct flock) { .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length };
}

static long control(int fd, int command, short type, long start, long length)
{
    struct flock l = range(type, start, length);
    return fcntl(fd, command, &l);
}

/* What F_GETLK or F_OFD_GETLK tells. */
static void ask(int fd, int command, short type, long start, long length)
{
    struct flock l = range(type, start, length);
    long result = TRY(fcntl(fd, command, &l));
    const char *whose = l.l_pid == getpid() ? "own" : l.l_pid == -1 ? "open file" : l.l_pid ? "other" : "none";
    if (!result && l.l_type == F_UNLCK)
        say("free\n");
    else if (!result)
        say("%s %d %ld+%ld %s\n", l.l_type == F_RDLCK ? "read" : "write", l.l_whence, (long)l.l_start, (long)l.l_len, whose);
}

/* The locks that another open file finds, one after the other. */
static void list(int fd)
{
    long at = 0;
    for (int i = 0; i < 12; i++) {
        struct flock l = range(F_WRLCK, at, 0);
        if (fcntl(fd, F_OFD_GETLK, &l) || l.l_type == F_UNLCK)
            break;
        say(" %c%ld-%ld", l.l_type == F_RDLCK ? 'r' : 'w', (long)l.l_start, l.l_len ? (long)(l.l_start + l.l_len - 1) : -1);
        if (!l.l_len)
            break;
        at = l.l_start + l.l_len;
    }
    say("\n");
}

/* --- flock ------------------------------------------------------------------------------------- */

static void flock_excludes(void)
{
    int a = make(name), b = open(name, O_RDONLY);
    TRY(flock(a, LOCK_EX));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(flock(b, LOCK_SH | LOCK_NB));
    TRY(flock(a, LOCK_UN));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_SH | LOCK_NB));
    close(a);
    close(b);
}

static void flock_is_shared_by_readers(void)
{
    int a = make(name), b = open(name, O_RDWR), c = open(name, O_WRONLY);
    TRY(flock(a, LOCK_SH));
    TRY(flock(b, LOCK_SH | LOCK_NB));
    TRY(flock(c, LOCK_EX | LOCK_NB));
    TRY(flock(b, LOCK_UN));
    TRY(flock(c, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_UN));
    TRY(flock(c, LOCK_EX | LOCK_NB));
    close(a);
    close(b);
    close(c);
}

static void flock_is_of_the_open_file(void)
{
    int a = make(name), d = dup(a), b = open(name, O_RDONLY);
    TRY(flock(a, LOCK_EX));
    TRY(flock(d, LOCK_EX | LOCK_NB));
    TRY(close(a));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(close(d));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    int e = dup(b);
    TRY(flock(e, LOCK_UN));
    int c = open(name, O_RDONLY);
    TRY(flock(c, LOCK_EX | LOCK_NB));
    close(b);
    close(c);
    close(e);
}

static void flock_changes_its_type(void)
{
    int a = make(name), b = open(name, O_RDONLY);
    TRY(flock(a, LOCK_EX));
    TRY(flock(a, LOCK_SH));
    TRY(flock(b, LOCK_SH | LOCK_NB));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_EX | LOCK_NB)); /* the call before has lost its lock */
    TRY(flock(b, LOCK_SH | LOCK_NB));
    TRY(flock(a, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_UN));
    TRY(flock(a, LOCK_UN));
    close(a);
    close(b);
}

static void flock_fails(void)
{
    int a = make(name), p = open(name, O_PATH);
    TRY(flock(-1, LOCK_EX));
    TRY(flock(999, LOCK_EX));
    TRY(flock(a, 0));
    TRY(flock(a, LOCK_SH | LOCK_EX));
    TRY(flock(a, LOCK_NB));
    TRY(flock(999, 0));
    TRY(flock(p, LOCK_EX));
    close(p);
    close(a);
    TRY(flock(a, LOCK_UN));
}

static void flock_of_a_directory(void)
{
    int a = open(".", O_RDONLY | O_DIRECTORY), b = open(".", O_RDONLY);
    TRY(flock(a, LOCK_EX));
    TRY(flock(b, LOCK_SH | LOCK_NB));
    close(a);
    TRY(flock(b, LOCK_SH | LOCK_NB));
    close(b);
}

static void flock_survives_names(void)
{
    int a = make(name), b = open(name, O_RDWR);
    TRY(flock(a, LOCK_EX));
    TRY(rename(name, other));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    int c = open(other, O_RDONLY);
    TRY(flock(c, LOCK_EX | LOCK_NB));
    TRY(unlink(other));
    TRY(flock(c, LOCK_EX | LOCK_NB));
    int d = make(other);
    TRY(flock(d, LOCK_EX | LOCK_NB));
    close(a);
    TRY(flock(c, LOCK_EX | LOCK_NB));
    close(b);
    close(c);
    close(d);
}

static void flock_of_a_link(void)
{
    int a = make(name);
    unlink(other);
    TRY(link(name, other));
    int b = open(other, O_RDONLY);
    TRY(flock(a, LOCK_EX));
    TRY(flock(b, LOCK_SH | LOCK_NB));
    close(a);
    close(b);
}

static void flock_and_records_ignore_each_other(void)
{
    int a = make(name), b = open(name, O_RDWR);
    TRY(flock(a, LOCK_EX));
    TRY(control(b, F_SETLK, F_WRLCK, 0, 0));
    TRY(control(b, F_OFD_SETLK, F_WRLCK, 0, 0));
    close(a);
    close(b);
}

static void flock_before_a_write(void)
{
    int a = open(name, O_RDONLY), b;
    TRY(flock(a, LOCK_EX));
    b = make(name); /* the file has been opened for writing after the lock was taken */
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_UN));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    close(a);
    close(b);
}

static void dup2_ends_a_lock(void)
{
    int a = make(name), b = open(name, O_RDONLY), c = make(other);
    TRY(flock(a, LOCK_EX));
    TRY(flock(b, LOCK_EX | LOCK_NB));
    TRY(dup2(c, a) == a);
    TRY(flock(b, LOCK_EX | LOCK_NB));
    close(a);
    close(b);
    close(c);
}

static void syscalls(void)
{
    int a = make(name), b = open(name, O_RDWR);
    struct flock l = range(F_WRLCK, 0, 5);
    TRY(syscall(SYS_flock, a, LOCK_EX));
    TRY(syscall(SYS_flock, b, LOCK_EX | LOCK_NB));
    TRY(syscall(SYS_fcntl, a, F_SETLK, &l));
    list(b);
    close(a);
    close(b);
}

/* --- record locks ----------------------------------------------------------------------------------- */

static void records_of_one_process(void)
{
    int a = make(name), b = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 10));
    TRY(control(b, F_SETLK, F_WRLCK, 5, 10));
    TRY(control(b, F_SETLKW, F_RDLCK, 2, 3));
    ask(a, F_GETLK, F_WRLCK, 0, 0);
    list(b);
    close(a);
    list(b);
    close(b);
}

static void records_split_and_join(void)
{
    int a = make(name), o = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 100));
    TRY(control(a, F_SETLK, F_UNLCK, 40, 20));
    list(o);
    TRY(control(a, F_SETLK, F_RDLCK, 10, 10));
    list(o);
    TRY(control(a, F_SETLK, F_RDLCK, 20, 30));
    list(o);
    TRY(control(a, F_SETLK, F_RDLCK, 0, 0));
    list(o);
    TRY(control(a, F_SETLK, F_WRLCK, 7, 1));
    TRY(control(a, F_SETLK, F_WRLCK, 9, 1));
    list(o);
    TRY(control(a, F_SETLK, F_WRLCK, 8, 1));
    list(o);
    TRY(control(a, F_SETLK, F_UNLCK, 0, 9));
    list(o);
    TRY(control(a, F_SETLK, F_UNLCK, 5, 0));
    list(o);
    TRY(control(a, F_SETLK, F_UNLCK, 0, 0));
    close(a);
    close(o);
}

static void ranges(void)
{
    int a = make(name), o = open(name, O_RDWR);
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 2, .l_len = 2 };
    TRY(lseek(a, 3, SEEK_SET));
    TRY(fcntl(a, F_SETLK, &l));
    list(o);
    l = (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = -1, .l_len = 4 };
    TRY(fcntl(a, F_SETLK, &l));
    list(o);
    l = (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 30, .l_len = -10 };
    TRY(fcntl(a, F_SETLK, &l));
    list(o);
    l = (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LONG_MAX, .l_len = 1 };
    TRY(fcntl(a, F_SETLK, &l));
    l = (struct flock) { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 100, .l_len = 0 };
    TRY(fcntl(a, F_SETLK, &l));
    list(o);
    close(a);
    close(o);
}

static void wrong_ranges(void)
{
    int a = make(name);
    TRY(control(a, F_SETLK, F_WRLCK, -1, 1));
    TRY(control(a, F_SETLK, F_WRLCK, 5, -6));
    TRY(control(a, F_SETLK, F_WRLCK, LONG_MAX, 2));
    TRY(control(a, F_GETLK, F_WRLCK, -1, 1));
    struct flock l = { .l_type = F_WRLCK, .l_whence = 9 };
    TRY(fcntl(a, F_SETLK, &l));
    l = (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = LONG_MAX };
    TRY(fcntl(a, F_SETLK, &l));
    l = (struct flock) { .l_type = 7, .l_whence = SEEK_SET };
    TRY(fcntl(a, F_SETLK, &l));
    TRY(fcntl(a, F_SETLKW, &l));
    TRY(fcntl(a, F_GETLK, &l));
    l = (struct flock) { .l_type = F_UNLCK, .l_whence = SEEK_SET };
    TRY(fcntl(a, F_GETLK, &l));
    close(a);
}

static void wrong_descriptors(void)
{
    int r = (close(make(name)), open(name, O_RDONLY)), w = open(name, O_WRONLY), p = open(name, O_PATH);
    TRY(control(r, F_SETLK, F_WRLCK, 0, 0));
    TRY(control(r, F_SETLKW, F_WRLCK, 0, 0));
    TRY(control(r, F_SETLK, F_RDLCK, 0, 0));
    TRY(control(w, F_SETLK, F_RDLCK, 0, 0));
    TRY(control(w, F_SETLK, F_WRLCK, 0, 0));
    TRY(control(r, F_SETLK, F_UNLCK, 0, 0));
    TRY(control(r, F_OFD_SETLK, F_WRLCK, 0, 0));
    TRY(control(w, F_OFD_SETLKW, F_RDLCK, 0, 0));
    TRY(control(r, F_GETLK, F_WRLCK, 0, 0));
    TRY(control(p, F_SETLK, F_RDLCK, 0, 0));
    TRY(control(-1, F_SETLK, F_RDLCK, 0, 0));
    TRY(control(999, F_GETLK, F_RDLCK, 0, 0));
    TRY(control(999, F_OFD_SETLK, F_RDLCK, 0, 0));
    close(r);
    close(w);
    close(p);
}

/* --- locks of open files ------------------------------------------------------------------------------- */

static void open_files_exclude_each_other(void)
{
    int a = make(name), b = open(name, O_RDWR);
    TRY(control(a, F_OFD_SETLK, F_WRLCK, 0, 5));
    TRY(control(b, F_OFD_SETLK, F_WRLCK, 5, 5));
    TRY(control(b, F_OFD_SETLK, F_WRLCK, 4, 2));
    TRY(control(b, F_OFD_SETLK, F_RDLCK, 0, 0));
    ask(b, F_OFD_GETLK, F_RDLCK, 0, 0);
    ask(a, F_OFD_GETLK, F_RDLCK, 0, 0);
    ask(a, F_GETLK, F_RDLCK, 0, 0);
    TRY(control(a, F_OFD_SETLK, F_RDLCK, 0, 0));
    TRY(control(b, F_OFD_SETLK, F_UNLCK, 0, 0));
    TRY(control(a, F_OFD_SETLK, F_RDLCK, 0, 0));
    TRY(control(b, F_OFD_SETLK, F_RDLCK, 2, 3));
    close(a);
    close(b);
}

static void open_files_and_the_process(void)
{
    int a = make(name), b = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 5));
    TRY(control(b, F_OFD_SETLK, F_WRLCK, 0, 0));
    TRY(control(a, F_OFD_SETLK, F_RDLCK, 4, 1)); /* the owner is not the process */
    ask(b, F_OFD_GETLK, F_WRLCK, 0, 0);
    TRY(control(b, F_OFD_SETLK, F_WRLCK, 5, 0));
    TRY(control(a, F_SETLK, F_RDLCK, 7, 1));
    ask(a, F_GETLK, F_RDLCK, 0, 0);
    TRY(control(a, F_SETLK, F_RDLCK, 0, 5));
    TRY(control(b, F_OFD_SETLK, F_RDLCK, 0, 0));
    close(a);
    close(b);
}

static void duplicates_of_an_open_file(void)
{
    int a = make(name), d = dup(a), b = open(name, O_RDWR);
    TRY(control(a, F_OFD_SETLK, F_WRLCK, 0, 0));
    TRY(control(d, F_OFD_SETLK, F_RDLCK, 0, 4));
    list(b);
    TRY(close(a));
    list(b);
    TRY(close(d));
    list(b);
    close(b);
}

static void open_files_with_a_process(void)
{
    int a = make(name);
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_pid = 1 };
    TRY(fcntl(a, F_OFD_SETLK, &l));
    TRY(fcntl(a, F_OFD_SETLKW, &l));
    TRY(fcntl(a, F_OFD_GETLK, &l));
    TRY(fcntl(a, F_SETLK, &l));
    close(a);
}

/* --- ends ------------------------------------------------------------------------------------------------- */

static void any_close_ends_records(void)
{
    int a = make(name), o = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 5));
    TRY(control(o, F_OFD_SETLK, F_WRLCK, 5, 5));
    int b = open(name, O_RDONLY);
    list(b);
    TRY(close(b));
    list(a);
    TRY(control(a, F_SETLK, F_RDLCK, 1, 1));
    int c = dup(a);
    TRY(close(c));
    int d = open(name, O_RDONLY);
    list(d);
    close(a);
    close(o);
    close(d);
}

static void a_stream_ends_records(void)
{
    int a = make(name), o = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 5));
    FILE *f = fopen(name, "r");
    list(o);
    TRY(fclose(f));
    list(o);
    close(a);
    close(o);
}

static void another_file_keeps_them(void)
{
    int a = make(name), b = make(other), o = open(name, O_RDWR);
    TRY(control(a, F_SETLK, F_WRLCK, 0, 5));
    TRY(control(b, F_SETLK, F_WRLCK, 0, 5));
    TRY(close(b));
    list(o);
    close(a);
    close(o);
}

/* --- lockf --------------------------------------------------------------------------------------------------- */

static void lockf_locks(void)
{
    int a = make(name), o = open(name, O_RDWR);
    TRY(lseek(a, 2, SEEK_SET));
    TRY(lockf(a, F_LOCK, 3));
    list(o);
    TRY(lockf(a, F_TLOCK, -2));
    list(o);
    TRY(lockf(a, F_TEST, 0));
    TRY(lockf(a, F_ULOCK, 1));
    list(o);
    TRY(lockf(a, F_ULOCK, 0));
    list(o);
    TRY(control(o, F_OFD_SETLK, F_WRLCK, 3, 1));
    TRY(lockf(a, F_TEST, 1));
    TRY(lockf(a, F_TEST, 2));
    TRY(lockf(a, F_TLOCK, 0));
    TRY(control(o, F_OFD_SETLK, F_UNLCK, 0, 0));
    TRY(lockf(a, F_TLOCK, 0));
    list(o);
    close(a);
    close(o);
}

static void lockf_fails(void)
{
    int a = make(name), r = open(name, O_RDONLY);
    TRY(lockf(a, 9, 0));
    TRY(lockf(-1, F_LOCK, 0));
    TRY(lockf(999, F_TEST, 0));
    TRY(lockf(r, F_LOCK, 0));
    TRY(lockf(r, F_TLOCK, 1));
    TRY(lockf(r, F_TEST, 1));
    TRY(lockf(a, F_TLOCK, -11));
    close(a);
    close(r);
}

int main(void)
{
    char folder[] = "/tmp/heddle-locks-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    RUN(flock_excludes);
    RUN(flock_is_shared_by_readers);
    RUN(flock_is_of_the_open_file);
    RUN(flock_changes_its_type);
    RUN(flock_fails);
    RUN(flock_of_a_directory);
    RUN(flock_survives_names);
    RUN(flock_of_a_link);
    RUN(flock_and_records_ignore_each_other);
    RUN(flock_before_a_write);
    RUN(dup2_ends_a_lock);
    RUN(syscalls);
    RUN(records_of_one_process);
    RUN(records_split_and_join);
    RUN(ranges);
    RUN(wrong_ranges);
    RUN(wrong_descriptors);
    RUN(open_files_exclude_each_other);
    RUN(open_files_and_the_process);
    RUN(duplicates_of_an_open_file);
    RUN(open_files_with_a_process);
    RUN(any_close_ends_records);
    RUN(a_stream_ends_records);
    RUN(another_file_keeps_them);
    RUN(lockf_locks);
    RUN(lockf_fails);
    unlink(name);
    unlink(other);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
