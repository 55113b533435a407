// Two waits take initial tokens in either order; a post commutes with both.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *post(void *unused)
{
    sem_post(&s);
    return unused;
}

static void *wait(void *unused)
{
    sem_wait(&s);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&s, 0, 2);
    pthread_create(&t[0], NULL, post, NULL);
    pthread_create(&t[1], NULL, wait, NULL);
    pthread_create(&t[2], NULL, wait, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
}
