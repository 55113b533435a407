// Duplicates of a descriptor share their offset.
// EXPECT: finding assertion at 25
// DFS: yes
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *skip(void *fd)
{
    lseek((int)(long)fd, 1, SEEK_CUR);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char byte;
    int fd = open("/proc/self/exe", O_RDONLY), copy = dup(fd);
    pthread_create(&t, NULL, skip, (void *)(long)copy);
    read(fd, &byte, 1);
    pthread_join(t, NULL);
    close(fd);
    close(copy);
    assert(byte == 0177);
}
