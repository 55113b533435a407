// Two readers agree on the order of two independent writes: 15 of 16.
// EXPECT: complete
// TESTS: 15
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[2];
static int seen[2][2];

static void *work(void *number)
{
    long i = (long)number % 2;
    if ((long)number < 2) {
        atomic_store(&x[i], 1);
    } else {
        seen[i][0] = atomic_load(&x[i]);
        seen[i][1] = atomic_load(&x[1 - i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(seen[0][0] && !seen[0][1] && seen[1][0] && !seen[1][1]));
}
