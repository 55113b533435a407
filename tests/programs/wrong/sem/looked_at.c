// Who looks at a semaphore, takes it and looks again may see all that posts make of it, before and after.
// EXPECT: finding assertion
// RUN: -DBEFORE=0 -DAFTER=0
// RUN: -DBEFORE=0 -DAFTER=1
// RUN: -DBEFORE=1 -DAFTER=0
// RUN: -DBEFORE=1 -DAFTER=1
// RUN: -DBEFORE=2 -DAFTER=1
#include <assert.h>
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
    pthread_t a, b;
    int before, after;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, post, NULL);
    sem_getvalue(&s, &before);
    sem_wait(&s);
    sem_getvalue(&s, &after);
    assert(!(before == BEFORE && after == AFTER));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
