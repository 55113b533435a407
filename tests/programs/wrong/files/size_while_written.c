// A file that is half written: the other thread looks at its path, not at its descriptor.
// EXPECT: finding assertion at 32
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[4096];

static void *write_two(void *unused)
{
    int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert(write(fd, "ab", 2) == 2);
    assert(write(fd, "cd", 2) == 2);
    close(fd);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    struct stat about;
    snprintf(name, sizeof name, "%s.data", argc ? argv[0] : "");
    unlink(name);
    pthread_create(&t, NULL, write_two, NULL);
    int error = stat(name, &about);
    pthread_join(t, NULL);
    unlink(name);
    assert(error || about.st_size == 0 || about.st_size == 4);
}
