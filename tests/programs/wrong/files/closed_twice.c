// A descriptor is closed twice. Between the two, another thread gets its number for a file of its own, and loses it.
// EXPECT: finding use-after-close at 12
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *close_twice(void *fd)
{
    close((int)(long)fd);
    close((int)(long)fd);
    return NULL;
}

static void *use(void *unused)
{
    char byte;
    int fd = open("/proc/self/exe", O_RDONLY);
    assert(fd >= 0);
    ssize_t got = read(fd, &byte, 1);
    assert(got == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int fd = open("/dev/null", O_RDONLY);
    pthread_create(&a, NULL, close_twice, (void *)(long)fd);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
