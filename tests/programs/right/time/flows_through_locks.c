// Time catches up where threads meet: what was unlocked after a sleep is not
// locked before it.
// EXPECT: bound
// TESTS: 3
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t done;

static void *sleeps(void *unused)
{
    sleep(60);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t t;
    time_t start = time(NULL);
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, sleeps, NULL);
    sem_wait(&done);
    assert(time(NULL) >= start + 60);
    pthread_join(t, NULL);
}
