// An event loop with a time limit: it may time out at any time, and waits again. The loop as a whole is a wait.
// EXPECT: complete
// DFS: yes
// TESTS: 10
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], stop[2];

static void *writes(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    close(stop[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    int got = 0;
    assert(pipe(ends) == 0 && pipe(stop) == 0);
    pthread_create(&t, NULL, writes, NULL);
    for (;;) {
        struct pollfd p[] = { { ends[0], POLLIN, 0 }, { stop[0], POLLIN, 0 } };
        if (poll(p, 2, 100) == 0)
            continue;
        if (p[0].revents & POLLIN)
            got += (int)read(ends[0], &c, 1);
        else if (p[1].revents & POLLHUP)
            break;
    }
    assert(got == 1);
    pthread_join(t, NULL);
}
