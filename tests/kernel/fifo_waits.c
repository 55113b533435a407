// Opening a FIFO waits for its other end. Whatever the schedule is, the results are the same.
// THREADS: 912
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static const char name[] = "fifo", back[] = "back";

static pthread_t begin(void *(*other)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    return t;
}

static void *sends(void *unused)
{
    int w = open(name, O_WRONLY);
    write(w, "abc", 3);
    write(w, "de", 2);
    close(w);
    return unused;
}

static void a_reader_waits(void)
{
    char c;
    pthread_t t = begin(sends);
    int r = open(name, O_RDONLY), n = 0;
    while (read(r, &c, 1) == 1)
        n = n * 10 + c - 'a';
    say("%d\n", n);
    pthread_join(t, NULL);
    TRY(close(r));
}

static void *receives(void *unused)
{
    char c[8];
    int r = open(name, O_RDONLY);
    read(r, c, 8);
    close(r);
    return unused;
}

static void a_writer_waits(void)
{
    pthread_t t = begin(receives);
    int w = open(name, O_WRONLY);
    TRY(write(w, "abc", 3));
    pthread_join(t, NULL);
    TRY(close(w));
}

static void *comes_and_goes(void *unused)
{
    close(open(name, O_RDONLY));
    return unused;
}

static void the_other_end_need_not_stay(void)
{
    pthread_t t = begin(comes_and_goes);
    int w = open(name, O_WRONLY);
    say("%d\n", w >= 0);
    pthread_join(t, NULL);
    close(w);
}

static void *answers(void *unused)
{
    char c;
    int r = open(name, O_RDONLY), w = open(back, O_WRONLY);
    read(r, &c, 1);
    c++;
    write(w, &c, 1);
    close(r);
    close(w);
    return unused;
}

static void a_request_and_its_answer(void)
{
    char c = 'a';
    pthread_t t = begin(answers);
    int w = open(name, O_WRONLY), r = open(back, O_RDONLY);
    TRY(write(w, &c, 1));
    TRY(read(r, &c, 1));
    say("%c\n", c);
    pthread_join(t, NULL);
    close(r);
    close(w);
}

int main(void)
{
    char folder[] = "/tmp/heddle-fifos-XXXXXX";
    assert(mkdtemp(folder) && !chdir(folder));
    mkfifo(name, 0600);
    mkfifo(back, 0600);
    RUN(a_reader_waits);
    RUN(a_writer_waits);
    RUN(the_other_end_need_not_stay);
    RUN(a_request_and_its_answer);
    unlink(name);
    unlink(back);
    assert(!chdir("/") && !rmdir(folder));
    return finish();
}
