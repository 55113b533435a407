// Memory that has been removed is freed when its last use ends: the other thread may still write to it.
// EXPECT: finding data-race
// EXPECT: finding use-after-free
// DFS: yes
// TESTS: 2
// RUN: -DWHICH=1
// RUN: -DWHICH=2
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

static atomic_int *p;

static void *writes(void *unused)
{
    *p = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    int fd = shm_open("/x", O_CREAT | O_RDWR, 0600), id = shmget(1, 4, IPC_CREAT | 0600);
    ftruncate(fd, 4096);
    p = WHICH == 1 ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : shmat(id, NULL, 0);
    shm_unlink("/x");
    shmctl(id, IPC_RMID, NULL);
    close(fd);
    pthread_create(&t, NULL, writes, NULL);
    if (WHICH == 1)
        munmap((void *)p, 4096);
    else
        shmdt((void *)p);
    pthread_join(t, NULL);
}
