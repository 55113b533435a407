// Peterson's mutual exclusion; a thread gives up after 3 polls.
// EXPECT: complete
// RUN: -DROUNDS=1 TESTS=34 DFS=yes
// RUN: -DROUNDS=2 TESTS=5468
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static int enters(int me)
{
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    for (int poll = 0; poll < 3; poll++)
        if (atomic_load(&wants[1 - me]) == 0 || atomic_load(&turn) == me)
            return 1;
    return 0;
}

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int round = 0; round < ROUNDS && enters(me); round++) {
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        atomic_store(&wants[me], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
