// A semaphore that starts as the input says: whether it is given away before or after the threads come for it, each may be first.
// EXPECT: finding assertion
// INPUTS: n == 1
// TESTS: dpor=4 dfs=4 unfold=4 contextual=4 naive=4
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int last;

static void *take(void *number)
{
    sem_wait(&s);
    last = *(int *)number;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int numbers[] = { 1, 2 };
    unsigned n = heddle_uint("n");
    heddle_assume(n < 2);
    sem_init(&s, 0, n ? 1 : 0);
    pthread_create(&a, NULL, take, &numbers[0]);
    pthread_create(&b, NULL, take, &numbers[1]);
    if (!n)
        sem_post(&s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 0 || last == 2);
    return 0;
}
