// Two waits, one post.
// EXPECT: finding deadlock
// TESTS: 2
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *take(void *unused)
{
    sem_wait(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
