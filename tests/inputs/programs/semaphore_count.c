// A semaphore that starts with as many as the input says: with none, nobody goes on.
// EXPECT: finding deadlock
// INPUTS: n == 0
// TESTS: dpor=5 dfs=9 unfold=7 contextual=7 naive=9
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *take(void *unused)
{
    sem_wait(&s);
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    unsigned n = heddle_uint("n");
    heddle_assume(n < 3);
    sem_init(&s, 0, n ? (n == 1 ? 1 : 2) : 0);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
