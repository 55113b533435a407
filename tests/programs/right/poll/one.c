// A wait for one pipe is not enabled before there is data: as many executions as with a read.
// EXPECT: complete
// DFS: yes
// RUN: -DCALL=1 TESTS=1
// RUN: -DCALL=2 TESTS=1
// RUN: -DCALL=3 TESTS=2
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, writes, NULL);
    struct pollfd p = { ends[0], POLLIN, 0 };
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    if (CALL == 1)
        assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
    if (CALL == 2)
        assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
    if (CALL == 3)
        assert(poll(&p, 1, 5) == (p.revents == POLLIN));
    assert(read(ends[0], &c, 1) == 1);
    pthread_join(t, NULL);
}
