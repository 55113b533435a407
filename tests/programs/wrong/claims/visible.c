// A function that is annotated as atomic waits for a semaphore.
// EXPECT: finding annotation at 14
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

HEDDLE_ATOMIC static void add(void)
{
    x++;
    /* others may run here */
    sem_wait(&s);
    x++;
}

static void *work(void *unused)
{
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    add();
    pthread_join(t, NULL);
}
