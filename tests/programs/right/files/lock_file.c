// A lock file: a thread that cannot make it tries again. That is a wait, and the file orders what it protects.
// EXPECT: complete
// TESTS: 8
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[4096];
static int count;

static void *add(void *unused)
{
    int fd;
    while ((fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0)
        usleep(10);
    count++;
    close(fd);
    unlink(name);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    snprintf(name, sizeof name, "%s.lock", argc ? argv[0] : "");
    unlink(name);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
}
