// The __sync and __atomic builtins mean the same as C11.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *unused)
{
    __sync_fetch_and_add(&x, 1);
    return unused;
}

static void *twice(void *unused)
{
    __atomic_add_fetch(&x, 2, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, twice, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 3);
}
