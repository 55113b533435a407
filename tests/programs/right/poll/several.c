// A thread waits for two pipes, an eventfd and the end of a pipe, until all have been seen.
// EXPECT: complete
// DFS: yes
// TESTS: 10
// BLOCKED: 1
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], event;

static void *writes(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

static void *signals(void *unused)
{
    eventfd_write(event, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    char c;
    eventfd_t value;
    assert(pipe(ends) == 0);
    event = eventfd(0, 0);
    pthread_create(&t[0], NULL, writes, NULL);
    pthread_create(&t[1], NULL, signals, NULL);
    for (int seen = 0; seen < 2;) {
        struct pollfd p[] = { { ends[0], POLLIN, 0 }, { event, POLLIN, 0 } };
        assert(poll(p, 2, -1) >= 1);
        if (p[0].revents)
            assert(read(ends[0], &c, 1) == 1);
        if (p[1].revents)
            assert(eventfd_read(event, &value) == 0);
        seen += (p[0].revents != 0) + (p[1].revents != 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
