// A peer that sends and closes while the other side sends and receives.
// AMONG: 12
#include "transcript.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

static int q[2];

static void *answers(void *unused)
{
    send(q[1], "one", 3, 0);
    send(q[1], "two", 3, 0);
    close(q[1]);
    return unused;
}

static void a_peer_that_goes(void)
{
    pthread_t t;
    char c[8];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, q));
    pthread_create(&t, NULL, answers, NULL);
    TRY(send(q[0], "x", 1, 0));
    long n = TRY(recv(q[0], c, 8, 0));
    say_bytes("got", c, n);
    TRY(recv(q[0], c, 8, 0));
    pthread_join(t, NULL);
    TRY(recv(q[0], c, 8, 0));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    RUN(a_peer_that_goes);
    return finish();
}
