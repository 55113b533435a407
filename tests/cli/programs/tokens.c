/* Two threads pass a token: every schedule switches at each step, so no variation of the failing one is shorter. An
 * execution takes long, and so does minimising. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t turn[2];
static int count;

static void *work(void *self)
{
    long me = (long)self;
    for (int i = 0; i < 30; i++) {
        sem_wait(&turn[me]);
        assert(++count < 60);
        for (volatile long k = 0; k < 500000; k++) { }
        sem_post(&turn[1 - me]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&turn[0], 0, 1);
    sem_init(&turn[1], 0, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
