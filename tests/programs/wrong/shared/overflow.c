// An access behind the end of shared memory.
// EXPECT: finding heap-overflow
// TESTS: 1
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int fd = shm_open("/x", O_CREAT | O_RDWR, 0600);
    ftruncate(fd, 4096);
    char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    p[4095] = 1;
    p[4096] = 1;
}
