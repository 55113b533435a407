// A trywait before the post fails, after it succeeds.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *post(void *unused)
{
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, post, NULL);
    int got = sem_trywait(&s) == 0;
    assert(got || errno == EAGAIN);
    pthread_join(t, NULL);
    sem_getvalue(&s, &value);
    assert(value + got == 1);
}
