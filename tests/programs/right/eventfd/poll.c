// An event loop waits for its eventfd with poll and then reads it without blocking: the wake-up is never lost.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd;
static atomic_int jobs;

static void *submits(void *unused)
{
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&jobs, 1);
        eventfd_write(fd, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t woken;
    fd = eventfd(0, EFD_NONBLOCK);
    pthread_create(&t, NULL, submits, NULL);
    for (int done = 0; done < 2;) {
        struct pollfd p = { fd, POLLIN, 0 };
        assert(poll(&p, 1, -1) == 1 && eventfd_read(fd, &woken) == 0);
        done += atomic_exchange(&jobs, 0);
    }
    pthread_join(t, NULL);
    close(fd);
}
