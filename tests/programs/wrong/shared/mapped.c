// A process and its child count in memory that they share, without a lock: anonymous, or of a file.
// EXPECT: finding data-race
// RUN: -DWHICH=1
// RUN: -DWHICH=2
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
#if WHICH == 1
    int *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#else
    int fd = open("mapped-count", O_CREAT | O_TRUNC | O_RDWR, 0600);
    ftruncate(fd, sizeof(int));
    int *count = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#endif
    if (!fork()) {
        ++*count;
        _exit(0);
    }
    ++*count;
    wait(NULL);
}
