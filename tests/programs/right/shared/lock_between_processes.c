// One object is mapped twice by its name, as processes would, with a mutex in it. Under heddle, and there alone, both
// mappings have the same address.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t lock;
    int count;
};

static struct shared *map(void)
{
    int fd = shm_open("/count", O_RDWR, 0);
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(s != MAP_FAILED);
    return s;
}

static void *adds(void *s)
{
    struct shared *own = s;
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_mutex_unlock(&own->lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_mutexattr_t between;
    int fd = shm_open("/count", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(ftruncate(fd, sizeof(struct shared)) == 0);
    struct shared *a = map(), *b = map();
    assert(a == b && a->count == 0);
    pthread_mutexattr_init(&between);
    assert(pthread_mutexattr_setpshared(&between, PTHREAD_PROCESS_SHARED) == 0);
    pthread_mutex_init(&a->lock, &between);
    pthread_create(&t[0], NULL, adds, a);
    pthread_create(&t[1], NULL, adds, b);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a->count == 2);
    munmap(a, sizeof *a);
    munmap(b, sizeof *b);
    close(fd);
    shm_unlink("/count");
}
