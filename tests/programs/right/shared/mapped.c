// A process and its child count in memory that they share, with a lock in it: anonymous, or of a file. A call that reads the
// file sees both.
// EXPECT: complete
// TESTS: 2
// DFS: yes
// RUN: -DWHICH=1
// RUN: -DWHICH=2
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct shared {
    int count;
    pthread_mutex_t lock;
} shared;

static void add(shared *s)
{
    pthread_mutex_lock(&s->lock);
    s->count++;
    pthread_mutex_unlock(&s->lock);
}

int main(void)
{
    pthread_mutexattr_t between;
    int fd = -1, count;
#if WHICH == 1
    shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#else
    fd = open("mapped-count", O_CREAT | O_TRUNC | O_RDWR, 0600);
    ftruncate(fd, sizeof(shared));
    shared *s = mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#endif
    pthread_mutexattr_init(&between);
    pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->lock, &between);
    if (!fork()) {
        add(s);
        _exit(0);
    }
    add(s);
    wait(NULL);
    assert(s->count == 2);
    assert(WHICH == 1 || (pread(fd, &count, sizeof count, 0) == sizeof count && count == 2));
}
