// Both threads think that they have made the object: one of them is wrong, because O_EXCL is missing.
// EXPECT: finding assertion
// DFS: yes
// TESTS: 6
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int makers;

static void *makes(void *unused)
{
    if (sem_open("/x", 0) == SEM_FAILED) {
        sem_open("/x", O_CREAT, 0600, 1);
        makers++;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, makes, NULL);
    makes(NULL);
    pthread_join(t, NULL);
    assert(makers == 1);
}
