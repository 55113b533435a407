// Two threads wait for the same pipe and then read it: the slower one may find it empty, and waits for ever.
// EXPECT: finding deadlock
// DFS: yes
// RUN: -DPIPES=1 TESTS=4
// RUN: -DPIPES=2 TESTS=22
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], other[2];

static void *reads(void *unused)
{
    char c;
    struct pollfd p[] = { { ends[0], POLLIN, 0 }, { other[0], POLLIN, 0 } };
    poll(p, PIPES, -1);
    read(ends[0], &c, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pipe(ends);
    pipe(other);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reads, NULL);
    write(ends[1], "x", 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
