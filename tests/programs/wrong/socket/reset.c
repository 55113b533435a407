// The other side may be closed before it has received everything: the answer is then an error, not an end of file.
// EXPECT: finding assertion at 26
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *closes(void *unused)
{
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&t, NULL, closes, NULL);
    if (send(ends[0], &c, 1, MSG_NOSIGNAL) == 1) {
        pthread_join(t, NULL);
        assert(recv(ends[0], &c, 1, 0) == 0);
    }
}
