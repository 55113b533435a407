// Every size is one operation, however it is aligned in its word.
// EXPECT: complete
// TESTS: 2
// DFS: yes
// RUN: -DTYPE=char
// RUN: -DTYPE=short
// RUN: -DTYPE=int
// RUN: -DTYPE=long
// RUN: -DTYPE=_Bool TESTS=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    char first;
    _Atomic TYPE value;
} x;

static void *set(void *number)
{
    atomic_exchange(&x.value, (TYPE)((long)number + 1));
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(x.value && !x.first);
}
