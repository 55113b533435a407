// Two threads send each other messages in turns, over each type of socket: one execution.
// EXPECT: complete
// DFS: yes
// RUN: -DTYPE=SOCK_STREAM TESTS=1
// RUN: -DTYPE=SOCK_DGRAM TESTS=1
// RUN: -DTYPE=SOCK_SEQPACKET TESTS=1
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static int turns;

static void *answers(void *unused)
{
    char c;
    for (int i = 0; i < 2; i++) {
        assert(recv(ends[1], &c, 1, 0) == 1);
        turns++;
        c++;
        assert(send(ends[1], &c, 1, 0) == 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    assert(socketpair(AF_UNIX, TYPE, 0, ends) == 0);
    pthread_create(&t, NULL, answers, NULL);
    for (int i = 0; i < 2; i++) {
        assert(send(ends[0], &c, 1, 0) == 1);
        assert(recv(ends[0], &c, 1, 0) == 1);
        turns++;
    }
    assert(c == 2 && turns == 4);
    pthread_join(t, NULL);
}
