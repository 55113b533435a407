// Two writes and two reads of one variable: the reader is before, between or after, in both orders of the writes.
// EXPECT: complete
// TESTS: 12
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int first, second;

static void *write_it(void *number)
{
    atomic_store(&x, (int)(long)number);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_it, (void *)1);
    pthread_create(&b, NULL, write_it, (void *)2);
    first = atomic_load(&x);
    second = atomic_load(&x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!first || second);
}
