// A semaphore of 2 is no lock.
// EXPECT: finding data-race
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int count;

static void *add(void *unused)
{
    sem_wait(&s);
    count++;
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 2);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
