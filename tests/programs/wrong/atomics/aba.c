// A stack popped by compare-and-swap: the top came back, its next did not (the ABA problem).
// EXPECT: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };

static atomic_int top = 0, next[3] = { 1, 2, NONE }, used[3];

static int pop(void)
{
    while (1) {
        int first = atomic_load(&top);
        if (first == NONE)
            return NONE;
        int second = atomic_load(&next[first]);
        if (atomic_compare_exchange_strong(&top, &first, second))
            return first;
    }
}

static void push(int node)
{
    int first = atomic_load(&top);
    do
        atomic_store(&next[node], first);
    while (!atomic_compare_exchange_strong(&top, &first, node));
}

static void use(int node)
{
    if (node != NONE)
        assert(atomic_fetch_add(&used[node], 1) == 0);
}

static void *pops(void *unused)
{
    use(pop());
    use(pop());
    return unused;
}

static void *pops_and_pushes(void *unused)
{
    int a = pop();
    use(pop());
    if (a != NONE)
        push(a);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, pops, NULL);
    pthread_create(&q, NULL, pops_and_pushes, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
