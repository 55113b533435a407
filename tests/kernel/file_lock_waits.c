// Locks of files that threads wait for. Whatever the schedule is, their results are the same.
// THREADS: 10080
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

static const char name[] = "locked";
static int a, b;

static int set(int fd, int command, short type, long start, long length)
{
    struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length };
    return fcntl(fd, command, &l);
}

static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    a = open(name, O_CREAT | O_RDWR, 0600);
    b = open(name, O_RDWR);
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void end(pthread_t t)
{
    pthread_join(t, NULL);
    close(a);
    close(b);
}

static void *flock_b(void *unused)
{
    flock(b, LOCK_EX);
    flock(b, LOCK_UN);
    return unused;
}

static void flock_waits(void)
{
    pthread_t t = begin(flock_b);
    TRY(flock(a, LOCK_EX));
    TRY(flock(a, LOCK_UN));
    TRY(flock(a, LOCK_SH));
    TRY(flock(a, LOCK_UN));
    end(t);
}

static void *flock_b_and_close(void *unused)
{
    flock(b, LOCK_EX);
    close(b);
    return unused;
}

static void flock_waits_for_a_close(void)
{
    pthread_t t = begin(flock_b_and_close);
    TRY(flock(a, LOCK_EX));
    TRY(close(a));
    pthread_join(t, NULL);
}

static void *lock_b(void *unused)
{
    set(b, F_OFD_SETLKW, F_WRLCK, 0, 10);
    set(b, F_OFD_SETLK, F_UNLCK, 0, 10);
    return unused;
}

static void open_files_wait(void)
{
    pthread_t t = begin(lock_b);
    TRY(set(a, F_OFD_SETLKW, F_RDLCK, 5, 10));
    TRY(set(a, F_OFD_SETLK, F_UNLCK, 0, 0));
    end(t);
}

static void a_process_waits_for_an_open_file(void)
{
    pthread_t t = begin(lock_b);
    TRY(set(a, F_SETLKW, F_WRLCK, 0, 1));
    TRY(set(a, F_SETLK, F_UNLCK, 0, 0));
    end(t);
}

static void *lock_a(void *unused)
{
    set(a, F_SETLKW, F_WRLCK, 0, 0);
    set(a, F_SETLKW, F_UNLCK, 0, 0);
    return unused;
}

static void threads_of_a_process_do_not_wait(void)
{
    pthread_t t = begin(lock_a);
    TRY(set(b, F_SETLKW, F_WRLCK, 0, 0));
    TRY(set(b, F_SETLK, F_WRLCK, 3, 3));
    TRY(lockf(a, F_LOCK, 0));
    end(t);
}

int main(void)
{
    char folder[] = "/tmp/heddle-locks-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    RUN(flock_waits);
    RUN(flock_waits_for_a_close);
    RUN(open_files_wait);
    RUN(a_process_waits_for_an_open_file);
    RUN(threads_of_a_process_do_not_wait);
    unlink(name);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
