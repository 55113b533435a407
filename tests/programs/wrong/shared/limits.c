// What is not modelled of shared memory ends the execution, and is named.
// EXPECT: finding model-limit
// TESTS: 1
// RUN: -DWHICH=1
// RUN: -DWHICH=2
// RUN: -DWHICH=3
// RUN: -DWHICH=4
// RUN: -DWHICH=5
// RUN: -DWHICH=6
// RUN: -DWHICH=7
// RUN: -DWHICH=8
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

int main(void)
{
    int fd = shm_open("/x", O_CREAT | O_RDWR, 0600), id = shmget(IPC_PRIVATE, 10, 0600);
    struct pollfd one = { fd, POLLIN, 0 };
    ftruncate(fd, 4096);
    if (WHICH == 1)
        read(fd, &id, 1);
    if (WHICH == 2)
        lseek(fd, 0, SEEK_END);
    if (WHICH == 3)
        mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    if (WHICH == 4)
        mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    if (WHICH == 5) {
        mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
        ftruncate(fd, 8192);
    }
    if (WHICH == 6)
        shmat(id, (void *)0x10000000, 0);
    if (WHICH == 7)
        shmctl(id, SHM_LOCK, NULL);
    if (WHICH == 8)
        poll(&one, 1, 10);
}
