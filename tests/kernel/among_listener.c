// A client connects while the server goes; a listener that is shut down while a thread accepts.
// AMONG: 12
#include "transcript.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

static int l, c;
static struct sockaddr_in at = { .sin_family = AF_INET };
static long result, answer;

static void *connects(void *unused)
{
    result = connect(c, (struct sockaddr *)&at, sizeof at) ? -errno : 0;
    answer = send(c, "x", 1, 0) < 0 ? -errno : 0;
    return unused;
}

static void a_server_that_goes(void)
{
    pthread_t t;
    socklen_t n = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    l = socket(AF_INET, SOCK_STREAM, 0);
    c = socket(AF_INET, SOCK_STREAM, 0);
    TRY(bind(l, (struct sockaddr *)&at, sizeof at));
    TRY(listen(l, 4));
    getsockname(l, (struct sockaddr *)&at, &n);
    pthread_create(&t, NULL, connects, NULL);
    close(l);
    pthread_join(t, NULL);
    say("%ld %ld\n", result, answer);
    close(c);
}

static void *shuts(void *unused)
{
    shutdown(l, SHUT_RDWR);
    return unused;
}

static void a_listener_that_is_shut_down(void)
{
    pthread_t t;
    l = socket(AF_INET, SOCK_STREAM, 0);
    TRY(listen(l, 4));
    pthread_create(&t, NULL, shuts, NULL);
    TRY(accept(l, NULL, NULL));
    pthread_join(t, NULL);
    close(l);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    RUN(a_server_that_goes);
    RUN(a_listener_that_is_shut_down);
    return finish();
}
