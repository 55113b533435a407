// A wait with a time limit: the time runs out, or the post came first.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *post(void *unused)
{
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    sem_init(&s, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_create(&t, NULL, post, NULL);
    if (sem_timedwait(&s, &until) != 0)
        assert(errno == ETIMEDOUT);
    pthread_join(t, NULL);
}
