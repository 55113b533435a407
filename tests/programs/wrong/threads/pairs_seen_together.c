// Two pairs of threads that have nothing to do with each other: what both came to is seen by main alone, after it has
// joined them. Every state of every single thread has been seen when half of the combinations have not.
// RUN: -DA=0 -DB=0 FINDING=assertion
// RUN: -DA=0 -DB=1 FINDING=assertion
// RUN: -DA=1 -DB=0 FINDING=assertion
// RUN: -DA=1 -DB=1 FINDING=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *set_x(void *unused)
{
    x = 1;
    return unused;
}

static void *get_x(void *unused)
{
    a = x;
    return unused;
}

static void *set_y(void *unused)
{
    y = 1;
    return unused;
}

static void *get_y(void *unused)
{
    b = y;
    return unused;
}

int main(void)
{
    void *(*const work[])(void *) = { set_x, get_x, set_y, get_y };
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(a == A && b == B));
}
