// A stream may be received in pieces of any size, or with MSG_WAITALL as a whole; messages come one by one.
// EXPECT: complete
// DFS: yes
// RUN: -DTYPE=SOCK_STREAM -DFLAGS=0 TESTS=2
// RUN: -DTYPE=SOCK_STREAM -DFLAGS=MSG_WAITALL TESTS=2
// RUN: -DTYPE=SOCK_DGRAM -DFLAGS=0 TESTS=2
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *sends(void *unused)
{
    assert(send(ends[0], "ab", 2, 0) == 2);
    assert(send(ends[0], "cd", 2, 0) == 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    char got[5] = "";
    assert(socketpair(AF_UNIX, TYPE, 0, ends) == 0);
    pthread_create(&t, NULL, sends, NULL);
    for (long n, done = 0; done < 4; done += n) {
        n = recv(ends[1], got + done, (size_t)(4 - done), FLAGS);
        assert(n == 4 || (n == 2 && !FLAGS));
        assert(n == 2 || TYPE == SOCK_STREAM);
    }
    assert(!strcmp(got, "abcd"));
    pthread_join(t, NULL);
}
