// The last one to drop its reference frees the object.
// EXPECT: complete
// TESTS: 2
// DFS: yes
// OPTIONS: --leaks
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct object {
    atomic_int references;
    int value;
} object;

static object *shared;

static void *drop(void *unused)
{
    object *o = shared;
    assert(o->value == 5);
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
    return unused;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    shared->value = 5;
    pthread_t p, q;
    pthread_create(&p, NULL, drop, NULL);
    pthread_create(&q, NULL, drop, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
