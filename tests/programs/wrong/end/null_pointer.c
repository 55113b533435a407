// The pointer is used before it is set; the other may set it just before the process dies, or not.
// EXPECT: finding crash
// TESTS: 3
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static int object;
static _Atomic(int *) pointer;

static void *sets(void *unused)
{
    atomic_store(&pointer, &object);
    return unused;
}

static void *uses(void *unused)
{
    *atomic_load(&pointer) = 1;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, sets, NULL);
    pthread_create(&q, NULL, uses, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
