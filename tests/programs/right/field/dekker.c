// Dekker's mutual exclusion, all loops bounded by 2.
// EXPECT: complete
// TESTS: 1599
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { LIMIT = 2 };

static atomic_int wants[2], turn, inside;

static int gets_turn(int me)
{
    for (int poll = 0; poll < LIMIT; poll++)
        if (atomic_load(&turn) == me)
            return 1;
    return 0;
}

static int enters(int me)
{
    atomic_store(&wants[me], 1);
    for (int poll = 0; poll < LIMIT; poll++) {
        if (!atomic_load(&wants[1 - me]))
            return 1;
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            if (!gets_turn(me))
                return 0;
            atomic_store(&wants[me], 1);
        }
    }
    return 0;
}

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int round = 0; round < LIMIT && enters(me); round++) {
        atomic_store(&inside, me);
        assert(atomic_load(&inside) == me);
        atomic_store(&turn, 1 - me);
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
