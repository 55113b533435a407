// POSIX message queues.
#include "transcript.h"

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>

static const char *const name = "/heddle-test-queue";
static struct mq_attr small = { .mq_maxmsg = 3, .mq_msgsize = 8 };

static void say_attributes(mqd_t q)
{
    struct mq_attr a;
    if (TRY(mq_getattr(q, &a)) == 0)
        say("%lx %ld %ld %ld\n", a.mq_flags, a.mq_maxmsg, a.mq_msgsize, a.mq_curmsgs);
}

static void receive(mqd_t q)
{
    char c[8];
    unsigned priority = 99;
    long n = TRY(mq_receive(q, c, 8, &priority));
    say_bytes("got", c, n);
    say("priority %u\n", priority);
}

static void say_ready(mqd_t q)
{
    struct pollfd p = { q, POLLIN | POLLOUT, 0 };
    TRY(poll(&p, 1, 0));
    say("%x\n", p.revents);
}

static void names(void)
{
    char long_name[300] = "/";
    struct mq_attr none = { .mq_maxmsg = 0, .mq_msgsize = 8 }, empty = { .mq_maxmsg = 1, .mq_msgsize = 0 };
    struct mq_attr less = { .mq_maxmsg = -1, .mq_msgsize = 8 };
    memset(long_name + 1, 'x', 298);
    mq_unlink(name);
    TRY(mq_open(name, O_RDWR));
    TRY(mq_unlink(name));
    mqd_t q = TRY(mq_open(name, O_CREAT | O_RDWR, 0600, NULL));
    say_attributes(q);
    TRY(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL));
    mqd_t other = TRY(mq_open(name, O_CREAT | O_RDONLY, 0600, &small));
    say_attributes(other);
    TRY(fcntl(q, F_GETFD));
    TRY(fcntl(q, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
    TRY(mq_close(q));
    TRY(mq_close(q));
    TRY(mq_close(other));
    TRY(mq_unlink(name));
    TRY(mq_open(name, O_RDWR));
    TRY(mq_open("heddle-test", O_CREAT | O_RDWR, 0600, NULL));
    TRY(mq_open("", O_CREAT | O_RDWR, 0600, NULL));
    TRY(mq_open("/", O_CREAT | O_RDWR, 0600, NULL));
    TRY(mq_open("/a/b", O_CREAT | O_RDWR, 0600, NULL));
    TRY(mq_open(long_name, O_CREAT | O_RDWR, 0600, NULL));
    TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &none));
    TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &empty));
    TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &less));
    TRY(mq_unlink("heddle-test"));
    TRY(mq_unlink("/"));
    TRY(mq_unlink("/a/b"));
    TRY(mq_unlink(long_name));
}

static void priorities(void)
{
    mqd_t q = TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &small));
    TRY(mq_send(q, "a", 1, 1));
    TRY(mq_send(q, "bb", 2, 5));
    TRY(mq_send(q, "ccc", 3, 1));
    say_attributes(q);
    receive(q);
    receive(q);
    TRY(mq_send(q, "", 0, 0));
    TRY(mq_send(q, "dd", 2, 32767));
    receive(q);
    receive(q);
    receive(q);
    TRY(mq_close(q));
    TRY(mq_unlink(name));
}

static void wrong_calls(void)
{
    char c[16];
    mqd_t q = TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &small));
    mqd_t reader = TRY(mq_open(name, O_RDONLY)), writer = TRY(mq_open(name, O_WRONLY));
    struct timespec bad = { 1, 1000000000 };
    struct mq_attr flags = { .mq_flags = O_APPEND };
    TRY(mq_send(q, "123456789", 9, 0));
    TRY(mq_send(q, "12345678", 8, 32768));
    TRY(mq_send(q, "12345678", 8, 0));
    TRY(mq_receive(q, c, 7, NULL));
    TRY(mq_send(reader, "a", 1, 0));
    TRY(mq_receive(writer, c, 16, NULL));
    TRY(mq_receive(reader, c, 16, NULL));
    TRY(mq_timedsend(q, "a", 1, 0, &bad));
    TRY(mq_timedreceive(q, c, 8, NULL, &bad));
    TRY(mq_send(-1, "a", 1, 0));
    TRY(mq_receive(-1, c, 8, NULL));
    TRY(mq_send(1, "a", 1, 0));
    TRY(mq_getattr(-1, &flags));
    TRY(mq_setattr(q, &flags, NULL));
    TRY(write(q, "a", 1));
    TRY(mq_close(reader));
    TRY(mq_close(writer));
    TRY(mq_send(reader, "a", 1, 0));
    TRY(mq_close(q));
    TRY(mq_unlink(name));
}

static void full_and_empty(void)
{
    char c[8];
    struct timespec past = { 1, 0 };
    mqd_t q = TRY(mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &small));
    say_attributes(q);
    TRY(mq_receive(q, c, 8, NULL));
    say_ready(q);
    TRY(mq_send(q, "a", 1, 0));
    say_ready(q);
    TRY(mq_send(q, "b", 1, 0));
    TRY(mq_send(q, "c", 1, 0));
    say_ready(q);
    TRY(mq_send(q, "d", 1, 0));
    TRY(mq_timedsend(q, "d", 1, 0, &past));
    struct mq_attr waits = { 0 }, old;
    TRY(mq_setattr(q, &waits, &old));
    say("%lx %ld\n", old.mq_flags, old.mq_curmsgs);
    TRY(mq_timedsend(q, "d", 1, 0, &past));
    receive(q);
    say_ready(q);
    receive(q);
    receive(q);
    TRY(mq_timedreceive(q, c, 8, NULL, &past));
    TRY(mq_send(q, "e", 1, 0));
    TRY(mq_timedreceive(q, c, 8, NULL, &past));
    TRY(mq_close(q));
    TRY(mq_unlink(name));
}

static void a_queue_without_a_name(void)
{
    mqd_t q = TRY(mq_open(name, O_CREAT | O_RDWR, 0600, &small)), copy = TRY(dup(q));
    TRY(mq_send(q, "old", 3, 0));
    TRY(mq_unlink(name));
    mqd_t new = TRY(mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &small));
    TRY(mq_send(new, "new", 3, 0));
    TRY(mq_close(q));
    receive(copy);
    receive(new);
    TRY(mq_close(copy));
    TRY(mq_close(new));
    TRY(mq_unlink(name));
}

static void messages_stay_in_a_closed_queue(void)
{
    mqd_t q = TRY(mq_open(name, O_CREAT | O_WRONLY, 0600, &small));
    TRY(mq_send(q, "left", 4, 2));
    TRY(mq_close(q));
    q = TRY(mq_open(name, O_RDONLY));
    receive(q);
    TRY(close(q));
    TRY(mq_unlink(name));
}

int main(void)
{
    RUN(names);
    RUN(priorities);
    RUN(wrong_calls);
    RUN(full_and_empty);
    RUN(a_queue_without_a_name);
    RUN(messages_stay_in_a_closed_queue);
    return finish();
}
