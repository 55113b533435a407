// The loop takes the jobs before it reads the eventfd: a job that comes in between is not seen, and nothing wakes the
// loop again.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 9
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

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
    fd = eventfd(0, 0);
    pthread_create(&t, NULL, submits, NULL);
    for (int done = atomic_exchange(&jobs, 0); done < 2; done += atomic_exchange(&jobs, 0)) {
        done += atomic_exchange(&jobs, 0);
        if (done < 2)
            eventfd_read(fd, &woken);
        if (done < 2)
            eventfd_read(fd, &woken);
    }
    pthread_join(t, NULL);
}
