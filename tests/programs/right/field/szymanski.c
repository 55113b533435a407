// Szymanski's mutual exclusion, all loops bounded by LIMIT.
// EXPECT: complete
// RUN: -DLIMIT=1 TESTS=103 DFS=yes
// RUN: -DLIMIT=2 TESTS=22945
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], inside;

/* Polls the other's flag until it is in [low, high]. */
static int sees(int other, int low, int high)
{
    for (int poll = 0; poll < LIMIT; poll++) {
        int f = atomic_load(&flag[other]);
        if (low <= f && f <= high)
            return 1;
    }
    return 0;
}

/* As published: the flag is read once or twice. */
static int has_left(int other)
{
    for (int poll = 0; poll < LIMIT; poll++)
        if (atomic_load(&flag[other]) < 2 || atomic_load(&flag[other]) > 3)
            return 1;
    return 0;
}

static int enters(int me)
{
    atomic_store(&flag[me], 1);
    if (!sees(1 - me, 0, 2))
        return 0;
    atomic_store(&flag[me], 3);
    if (atomic_load(&flag[1 - me]) == 1) {
        atomic_store(&flag[me], 2);
        if (!sees(1 - me, 4, 4))
            return 0;
    }
    atomic_store(&flag[me], 4);
    return sees(1 - me, 0, 1);
}

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int round = 0; round < LIMIT && enters(me); round++) {
        atomic_store(&inside, me + 1);
        assert(atomic_load(&inside) == me + 1);
        if (!has_left(1 - me))
            break;
        atomic_store(&flag[me], 0);
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
