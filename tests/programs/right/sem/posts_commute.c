// Three posts commute with each other and with waits that take lesser tokens: one execution for each order in which the
// waits take the three tokens.
// EXPECT: complete
// TESTS: 6
// DFS: yes
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
    pthread_t t[3];
    sem_init(&s, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, post, NULL);
    for (int i = 0; i < 3; i++)
        sem_wait(&s);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
}
