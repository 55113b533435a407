// A FIFO that threads open without waiting: what a call finds depends on the schedule.
// AMONG: 20
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

static const char name[] = "fifo";
static int error_of_other;

static void *tries_to_send(void *unused)
{
    int w = open(name, O_WRONLY | O_NONBLOCK);
    error_of_other = w < 0 || write(w, "a", 1) < 0 ? errno : 0;
    if (w >= 0)
        close(w);
    return unused;
}

static void a_writer_among_readers(void)
{
    pthread_t t;
    char c;
    pthread_create(&t, NULL, tries_to_send, NULL);
    int r = open(name, O_RDONLY | O_NONBLOCK);
    TRY(read(r, &c, 1));
    TRY(close(r));
    pthread_join(t, NULL);
    say("%s\n", strerrorname_np(error_of_other));
}

int main(void)
{
    char folder[] = "/tmp/heddle-fifos-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    mkfifo(name, 0600);
    signal(SIGPIPE, SIG_IGN);
    RUN(a_writer_among_readers);
    unlink(name);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
