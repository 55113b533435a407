// Atomics in different bytes of one word commute.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_char x[4];

static void *add(void *number)
{
    atomic_fetch_add(&x[(long)number], 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (long i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(x[0] && x[1] && x[2] && x[3]);
}
