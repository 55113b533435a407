// A counter in shared memory without a lock.
// EXPECT: finding data-race
// EXPECT: finding assertion
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int *count;

static void *adds(void *unused)
{
    ++*count;
    return unused;
}

int main(void)
{
    pthread_t t;
    int fd = shm_open("/count", O_CREAT | O_RDWR, 0600);
    ftruncate(fd, sizeof *count);
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_create(&t, NULL, adds, NULL);
    adds(NULL);
    pthread_join(t, NULL);
    assert(*count == 2);
}
