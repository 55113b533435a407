// Both sides wait for the other one to begin.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 1
#include <pthread.h>
#include <sys/socket.h>

static int ends[2];

static void *answers(void *own)
{
    char c = 0;
    recv(*(int *)own, &c, 1, 0);
    send(*(int *)own, &c, 1, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&t, 0, answers, &ends[1]);
    answers(&ends[0]);
    pthread_join(t, 0);
}
