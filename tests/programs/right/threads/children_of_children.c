// Three threads, each of which creates a hundred others and joins them, twice: a slot that is used again keeps the
// slots of its children.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *leaf(void *argument)
{
    return argument;
}

static void *middle(void *argument)
{
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, leaf, NULL);
        pthread_join(thread, NULL);
    }
    if (argument)
        atomic_store(&order, (int)(long)argument);
    return argument;
}

static void round_of(long first)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, middle, (void *)(first ? first + i : 0));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    for (int i = 0; i < 7; i++)
        round_of(0);
    round_of(1);
    return 0;
}
