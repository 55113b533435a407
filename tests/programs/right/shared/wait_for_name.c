// A loop that tries to open a name is a wait for the thread that makes it: it comes after no round, one or
// two, or after a third that waits.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static int data;

static void *makes(void *unused)
{
    data = 42;
    sem_open("/ready", O_CREAT | O_EXCL, 0600, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, makes, NULL);
    while (sem_open("/ready", 0) == SEM_FAILED)
        usleep(1000);
    assert(data == 42);
    pthread_join(t, NULL);
}
