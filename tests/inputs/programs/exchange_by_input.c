// Whether the exchange changes anything is decided by another condition before the addition than behind it.
// EXPECT: complete
// TESTS: dpor=4 dfs=4 unfold=4 contextual=4 naive=4
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static unsigned y;

static void *add(void *unused)
{
    __atomic_fetch_add(&y, 2, __ATOMIC_SEQ_CST);
    return unused;
}

static void *exchange(void *given)
{
    __atomic_exchange_n(&y, *(unsigned *)given, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    unsigned a = (unsigned)heddle_range(0, 3, "a");
    pthread_create(&threads[0], NULL, add, NULL);
    pthread_create(&threads[1], NULL, exchange, &a);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
