// A thread that sends and one that receives commute while data lies between what the one adds and what the other takes. So
// a sender that is ahead by more than one value is not overtaken once more for each of its values: without that there
// would be 5 and 42 executions. A receiver that asks for more than there is depends on every send before it.
// EXPECT: complete
// DFS: yes
// RUN: -DKIND=1 -DVALUES=3 TESTS=4
// RUN: -DKIND=1 -DVALUES=5 TESTS=16
// RUN: -DKIND=2 -DVALUES=5 TESTS=16
// RUN: -DKIND=3 -DVALUES=5 TESTS=16
// RUN: -DKIND=1 -DVALUES=3 -DASKS=3 TESTS=4
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef ASKS
#define ASKS 1
#endif

static int ends[2];

static void *sends(void *own)
{
    for (char value = 0; value < VALUES; value++)
        assert(KIND == 3 ? mq_send(ends[1], &value, 1, 0) == 0 : write(ends[1], &value, 1) == 1);
    return own;
}

static void open_both(void)
{
    struct mq_attr about = { .mq_maxmsg = 10, .mq_msgsize = 8 };
    if (KIND == 1)
        assert(pipe(ends) == 0);
    else if (KIND == 2)
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    else
        ends[0] = ends[1] = mq_open("/values", O_CREAT | O_RDWR, 0600, &about);
}

int main(void)
{
    pthread_t t;
    open_both();
    pthread_create(&t, NULL, sends, NULL);
    for (int got = 0; got < VALUES;) {
        char values[8];
        long n = KIND == 3 ? mq_receive(ends[0], values, sizeof values, NULL) : read(ends[0], values, ASKS);
        assert(n > 0 && values[0] == got);
        got += (int)n;
    }
    pthread_join(t, NULL);
}
