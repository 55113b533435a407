// The wait may take the other thread's token, so it does not order the read behind the write: a race, also where both posts
// come before the wait. Three executions: the wait takes T1's token, and the read comes before or after the write; or it takes
// T2's, after the write.
// EXPECT: finding data-race
// TESTS: 3
// DFS: yes
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
int x;

static void *post(void *unused)
{
    sem_post(&s);
    return unused;
}

static void *write_and_post(void *unused)
{
    x = 1;
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, write_and_post, NULL);
    sem_wait(&s);
    int seen = x;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen > 1;
}
