// POSIX shared memory objects.
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const char *const name = "/heddle-test-memory";

static void *map(int fd, size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void say_size(int fd)
{
    struct stat about;
    TRY(fstat(fd, &about));
    say("%ld %o\n", (long)about.st_size, about.st_mode);
}

static void names(void)
{
    char long_name[300] = "/";
    memset(long_name + 1, 'x', 298);
    shm_unlink(name);
    TRY(shm_open(name, O_RDWR, 0600));
    TRY(shm_unlink(name));
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    TRY(shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
    TRY(close(fd));
    fd = TRY(shm_open(name, O_RDONLY, 0));
    TRY(fcntl(fd, F_GETFD));
    TRY(fcntl(fd, F_GETFL) & O_ACCMODE);
    TRY(close(fd));
    TRY(shm_unlink(name));
    TRY(shm_open(name, O_RDWR, 0600));
    TRY(shm_open("", O_CREAT | O_RDWR, 0600));
    TRY(shm_open("/", O_CREAT | O_RDWR, 0600));
    TRY(shm_open("/a/b", O_CREAT | O_RDWR, 0600));
    TRY(shm_open(long_name, O_CREAT | O_RDWR, 0600));
    TRY(shm_unlink("/a/b"));
    TRY(shm_unlink("/"));
    TRY(shm_unlink(long_name));
}

static void slashes_in_front_do_not_count(void)
{
    int fd = TRY(shm_open("//heddle-test-memory", O_CREAT | O_EXCL | O_RDWR, 0600));
    TRY(close(fd));
    fd = TRY(shm_open("heddle-test-memory", O_RDWR, 0600));
    TRY(close(fd));
    TRY(shm_unlink(name));
}

static void sizes(void)
{
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    say_size(fd);
    TRY(ftruncate(fd, 100));
    say_size(fd);
    TRY(ftruncate(fd, 10000));
    say_size(fd);
    TRY(ftruncate(fd, -1));
    int reader = TRY(shm_open(name, O_RDONLY, 0));
    say_size(reader);
    TRY(ftruncate(reader, 5));
    TRY(close(reader));
    reader = TRY(shm_open(name, O_RDWR | O_TRUNC, 0));
    say_size(reader);
    TRY(close(reader));
    TRY(close(fd));
    TRY(shm_unlink(name));
}

static void all_mappings_are_the_same_memory(void)
{
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600)), other = TRY(shm_open(name, O_RDWR, 0));
    TRY(ftruncate(fd, 8192));
    char *a = map(fd, 8192), *b = map(other, 8192), *second = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
    say("%d %d\n", a[0], a[8191]);
    a[10] = 1;
    a[5000] = 2;
    say("%d %d %d\n", b[10], b[5000], second[5000 - 4096]);
    TRY(close(fd));
    TRY(close(other));
    b[11] = 3;
    say("%d\n", a[11]);
    TRY(msync(a, 8192, MS_SYNC));
    TRY(msync(a + 1, 8192, MS_SYNC));
    TRY(msync(a, 8192, MS_SYNC | MS_ASYNC));
    TRY(munmap(a, 8192));
    say("%d\n", b[11]);
    TRY(munmap(second, 4096));
    TRY(munmap(b, 8192));
    TRY(munmap(b + 1, 8192));
    fd = TRY(shm_open(name, O_RDWR, 0));
    a = map(fd, 8192);
    say("%d %d\n", a[11], a[5000]);
    TRY(munmap(a, 8192));
    TRY(close(fd));
    TRY(shm_unlink(name));
}

static void removed_memory_stays_while_it_is_used(void)
{
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    TRY(ftruncate(fd, 4096));
    char *a = map(fd, 4096);
    a[0] = 7;
    TRY(shm_unlink(name));
    int new = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    say_size(new);
    char *again = map(fd, 4096);
    say("%d\n", again[0]);
    TRY(munmap(a, 4096));
    TRY(close(fd));
    say("%d\n", again[0]);
    TRY(munmap(again, 4096));
    TRY(close(new));
    TRY(shm_unlink(name));
}

static void *try_map(int fd, size_t size, int protection, int flags, off_t offset)
{
    return mmap(NULL, size, protection, flags, fd, offset);
}

#define MAP(...) TRY(try_map(__VA_ARGS__) == MAP_FAILED ? -1 : 0)

static void wrong_mappings(void)
{
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600)), reader = TRY(shm_open(name, O_RDONLY, 0));
    TRY(ftruncate(fd, 8192));
    MAP(reader, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
    MAP(reader, 8192, PROT_READ, MAP_SHARED, 0);
    MAP(fd, 0, PROT_READ, MAP_SHARED, 0);
    MAP(fd, 4096, PROT_READ, MAP_SHARED, 17);
    TRY(close(reader));
    TRY(close(fd));
    TRY(shm_unlink(name));
}

static void descriptors_of_it(void)
{
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600)), copy = TRY(dup(fd));
    TRY(close(fd));
    TRY(ftruncate(fd, 4096));
    TRY(ftruncate(copy, 4096));
    char *a = map(copy, 4096);
    a[1] = 1;
    TRY(munmap(a, 4096));
    TRY(close(copy));
    TRY(shm_unlink(name));
}

static void anonymous(void)
{
    char *a = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    say("%d\n", a[8191]);
    a[0] = 1;
    TRY(munmap(a, 5000));
}

static void locks_between_processes(void)
{
    struct {
        pthread_mutex_t lock;
        pthread_cond_t condition;
        pthread_rwlock_t rwlock;
        pthread_barrier_t barrier;
        sem_t semaphore;
    } *all;
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    int shared = -1, value, fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    TRY(ftruncate(fd, 4096));
    all = map(fd, 4096);
    pthread_mutexattr_init(&m);
    TRY(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED));
    TRY(pthread_mutexattr_setpshared(&m, 7));
    TRY(pthread_mutexattr_getpshared(&m, &shared));
    say("%d\n", shared);
    pthread_condattr_init(&c);
    TRY(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED));
    pthread_rwlockattr_init(&r);
    TRY(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED));
    pthread_barrierattr_init(&b);
    TRY(pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED));
    TRY(pthread_mutex_init(&all->lock, &m));
    TRY(pthread_cond_init(&all->condition, &c));
    TRY(pthread_rwlock_init(&all->rwlock, &r));
    TRY(pthread_barrier_init(&all->barrier, &b, 1));
    TRY(sem_init(&all->semaphore, 1, 2));
    TRY(pthread_mutex_lock(&all->lock));
    TRY(pthread_cond_broadcast(&all->condition));
    TRY(pthread_mutex_unlock(&all->lock));
    TRY(pthread_rwlock_rdlock(&all->rwlock));
    TRY(pthread_rwlock_unlock(&all->rwlock));
    TRY(pthread_barrier_wait(&all->barrier));
    TRY(sem_wait(&all->semaphore));
    TRY(sem_getvalue(&all->semaphore, &value));
    say("%d\n", value);
    TRY(munmap(all, 4096));
    TRY(close(fd));
    TRY(shm_unlink(name));
}

static pthread_mutex_t *robust;

static void *locks_and_ends(void *unused)
{
    pthread_mutex_lock(robust);
    return unused;
}

/* The owner is a thread that has ended. */
static void a_robust_mutex(void)
{
    pthread_mutexattr_t m;
    int fd = TRY(shm_open(name, O_CREAT | O_RDWR, 0600));
    TRY(ftruncate(fd, 4096));
    robust = map(fd, 4096);
    pthread_mutexattr_init(&m);
    TRY(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED));
    TRY(pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST));
    TRY(pthread_mutex_init(robust, &m));
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, locks_and_ends, NULL);
        pthread_join(t, NULL);
        TRY(pthread_mutex_trylock(robust));
        if (i == 0)
            TRY(pthread_mutex_consistent(robust));
        TRY(pthread_mutex_unlock(robust));
    }
    TRY(pthread_mutex_lock(robust));
    TRY(close(fd));
    TRY(munmap(robust, 4096));
    TRY(shm_unlink(name));
}

int main(void)
{
    RUN(names);
    RUN(slashes_in_front_do_not_count);
    RUN(sizes);
    RUN(all_mappings_are_the_same_memory);
    RUN(removed_memory_stays_while_it_is_used);
    RUN(wrong_mappings);
    RUN(descriptors_of_it);
    RUN(anonymous);
    RUN(locks_between_processes);
    RUN(a_robust_mutex);
    return finish();
}
