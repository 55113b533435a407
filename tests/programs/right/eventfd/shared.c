// Two descriptors of one eventfd share its counter. A thread closes one of them while another thread waits at it: the
// wait goes on, and the write through the other descriptor ends it.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int first, second;

static void *reads(void *unused)
{
    eventfd_t value;
    int error = eventfd_read(first, &value);
    assert(error ? errno == EBADF : value == 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    first = eventfd(0, 0);
    second = dup(first);
    pthread_create(&t, NULL, reads, NULL);
    close(first);
    eventfd_write(second, 2);
    pthread_join(t, NULL);
}
