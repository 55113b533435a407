// A deadlock of record locks that Linux finds, or not: that depends on the schedule.
// AMONG: 5
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static const char name[] = "locked";
static int a, b, c;

static int set(int fd, int command, short type, long start, long length)
{
    struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length };
    return fcntl(fd, command, &l);
}

/* The open file waits for the process, and the process for the open file. Linux finds that if the process comes last;
 * otherwise a third thread ends the deadlock, by closing another descriptor of the file. */
static void *waits_for_the_process(void *unused)
{
    set(b, F_OFD_SETLKW, F_WRLCK, 0, 1);
    set(b, F_OFD_SETLK, F_UNLCK, 0, 0);
    return unused;
}

static void *closes(void *unused)
{
    usleep(200000);
    close(c);
    return unused;
}

static void a_deadlock(void)
{
    pthread_t t, u;
    c = open(name, O_RDONLY);
    set(a, F_SETLK, F_WRLCK, 0, 1);
    set(b, F_OFD_SETLK, F_WRLCK, 1, 1);
    pthread_create(&t, NULL, waits_for_the_process, NULL);
    pthread_create(&u, NULL, closes, NULL);
    usleep(20000);
    TRY(set(a, F_SETLKW, F_WRLCK, 1, 1));
    TRY(set(a, F_SETLK, F_UNLCK, 0, 0));
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}

int main(void)
{
    char folder[] = "/tmp/heddle-locks-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    a = open(name, O_CREAT | O_RDWR, 0600);
    b = open(name, O_RDWR);
    RUN(a_deadlock);
    close(a);
    close(b);
    unlink(name);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
