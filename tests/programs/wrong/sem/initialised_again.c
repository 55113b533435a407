// A semaphore that is used again with another value: what it was before says nothing about who may go on.
// RUN: -DNEVER_LAST=1 FINDING=assertion
// RUN: -DNEVER_LAST=2 FINDING=assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int last;

static void *give(void *unused)
{
    sem_post(&s);
    return unused;
}

static void *take(void *number)
{
    sem_wait(&s);
    last = *(int *)number;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    int numbers[] = { 1, 2 };
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, give, NULL);
    sem_wait(&s);
    pthread_join(a, NULL);
    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, take, &numbers[0]);
    pthread_create(&b, NULL, take, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(last != NEVER_LAST);
}
