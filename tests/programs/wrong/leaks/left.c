// What a process leaves behind: descriptors, data in pipes, messages, processes that it does not wait for.
// OPTIONS: --leaks
// DFS: yes
// RUN: -DWHICH=1 TESTS=1 FINDING=leak
// RUN: -DWHICH=2 TESTS=1 FINDING=leak
// RUN: -DWHICH=3 TESTS=1 FINDING=leak
// RUN: -DWHICH=4 TESTS=1 FINDING=leak
// RUN: -DWHICH=5 TESTS=1 FINDING=leak
// RUN: -DWHICH=6 TESTS=1 FINDING=leak
// RUN: -DWHICH=7 TESTS=1 FINDING=leak
#include <fcntl.h>
#include <mqueue.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
#if WHICH == 1 /* a descriptor of the modelled kernel */
    eventfd(0, 0);
#elif WHICH == 2 /* one of a file */
    open("/etc/passwd", O_RDONLY);
#elif WHICH == 3 /* a pipe whose reader is closed */
    pipe(ends);
    write(ends[1], "abc", 3);
    close(ends[0]);
    close(ends[1]);
#elif WHICH == 4 /* a message */
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    send(ends[1], "abc", 3, 0);
    close(ends[1]);
    close(ends[0]);
#elif WHICH == 5 /* a message in a queue that nobody opens again */
    mqd_t q = mq_open("/left", O_CREAT | O_RDWR, 0600, NULL);
    mq_send(q, "abc", 3, 0);
    mq_close(q);
#elif WHICH == 6 /* a zombie */
    if (!fork())
        _exit(0);
#elif WHICH == 7 /* a child that does not close what it opens; what it has inherited is the parent's to close */
    pipe(ends);
    if (!fork()) {
        dup(ends[0]);
        _exit(0);
    }
    wait(NULL);
    close(ends[0]);
    close(ends[1]);
#endif
    return 0;
}
