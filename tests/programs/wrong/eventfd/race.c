// A read that may find nothing does not order: the data is read too early.
// EXPECT: finding data-race
// TESTS: 3
#include <pthread.h>
#include <sys/eventfd.h>

static int fd, data;

static void *writes(void *unused)
{
    data = 1;
    eventfd_write(fd, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    fd = eventfd(0, EFD_NONBLOCK);
    pthread_create(&t, NULL, writes, NULL);
    eventfd_read(fd, &value);
    volatile int seen = data;
    (void)seen;
    pthread_join(t, NULL);
}
