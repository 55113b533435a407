// Locks of files between threads: what a call finds depends on the schedule.
// AMONG: 20
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static const char name[] = "locked";
static int a, b, error_of_other;

static void *tries(void *unused)
{
    error_of_other = flock(b, LOCK_EX | LOCK_NB) ? errno : 0;
    flock(b, LOCK_UN);
    return unused;
}

static void a_try_among_locks(void)
{
    pthread_t t;
    pthread_create(&t, NULL, tries, NULL);
    TRY(flock(a, LOCK_EX | LOCK_NB));
    TRY(flock(a, LOCK_UN));
    pthread_join(t, NULL);
    say("%s\n", strerrorname_np(error_of_other));
}

int main(void)
{
    char folder[] = "/tmp/heddle-locks-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    a = open(name, O_CREAT | O_RDWR, 0600);
    b = open(name, O_RDWR);
    RUN(a_try_among_locks);
    close(a);
    close(b);
    unlink(name);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
