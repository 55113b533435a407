// Pushes by compare-and-swap: nothing is lost.
// EXPECT: complete
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct node {
    struct node *next;
    long pad;
} node;

static node nodes[2];
static _Atomic(node *) top;

static void *push(void *number)
{
    node *n = &nodes[(long)number], *first = atomic_load(&top);
    do
        n->next = first;
    while (!atomic_compare_exchange_weak(&top, &first, n));
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, push, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(top && top->next && !top->next->next);
}
