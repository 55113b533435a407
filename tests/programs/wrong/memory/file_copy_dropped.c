// What a private copy of a file is after MADV_DONTNEED, the contents of the file again, is not modelled.
// EXPECT: finding model-limit at 13
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>

int main(void)
{
    int fd = open(__FILE__, O_RDONLY);
    char *anonymous = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *copy = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    assert(copy != MAP_FAILED && !madvise(anonymous, 4096, MADV_DONTNEED));
    madvise(copy, 4096, MADV_DONTNEED);
}
