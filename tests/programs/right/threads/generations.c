// Two threads at a time, five times as many as a thread's children get slots of their own: the last pairs use the slots
// of the first. One pair has three orders, another two.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *nothing(void *argument)
{
    return argument;
}

static void *add(void *argument)
{
    atomic_fetch_add(&turn, (int)(long)argument);
    return argument;
}

static void *twice(void *argument)
{
    atomic_store(&turn, 2 * atomic_load(&turn));
    return argument;
}

static void pair(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, (void *)1);
    pthread_create(&b, NULL, second, (void *)3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void)
{
    for (int i = 0; i < 40; i++)
        pair(nothing, nothing);
    pair(add, twice);
    for (int i = 0; i < 40; i++)
        pair(nothing, nothing);
    int after = turn;
    pair(add, add);
    assert(turn == after + 4);
    return 0;
}
