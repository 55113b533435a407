// Each waits for the other to go first.
// EXPECT: finding deadlock
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done[2];

static void *wait(void *number)
{
    long me = (long)number;
    while (!atomic_load(&done[1 - me])) {
    }
    atomic_store(&done[me], 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
