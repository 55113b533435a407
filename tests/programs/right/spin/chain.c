// Each waits for the one before: T1 looks before or after the first step, T2 sees 2, or 1 and 2, or 0 and 2,
// or 0, 1 and 2.
// EXPECT: complete
// DFS: yes
// TESTS: 8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *pass(void *number)
{
    int me = (int)(long)number;
    while (atomic_load(&turn) < me) {
    }
    if (me < 2)
        atomic_store(&turn, me + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, pass, (void *)i);
    for (long i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(turn == 2);
}
