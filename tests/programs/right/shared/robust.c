// The owner of a robust mutex in shared memory ends: the next thread makes the data consistent.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static struct shared {
    pthread_mutex_t lock;
    int parts, whole;
} *s;

static void *ends(void *unused)
{
    int error = pthread_mutex_lock(&s->lock);
    assert(!error);
    s->parts++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t how;
    int fd = shm_open("/data", O_CREAT | O_RDWR, 0600);
    assert(!ftruncate(fd, sizeof *s));
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&s->lock, &how);
    pthread_create(&t, NULL, ends, NULL);
    int error = pthread_mutex_lock(&s->lock);
    if (error == EOWNERDEAD) {
        s->parts = s->whole;
        assert(!pthread_mutex_consistent(&s->lock));
    }
    assert(s->parts == s->whole);
    pthread_mutex_unlock(&s->lock);
    pthread_join(t, NULL);
}
