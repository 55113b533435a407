// When it has joined the others, main waits for a flag that was not set in every order.
// EXPECT: finding deadlock at 29
// TESTS: 2
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x, flag;

static void *first(void *unused)
{
    x = 1;
    return unused;
}

static void *second(void *unused)
{
    if (x == 0)
        flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    while (!flag) { }
    return 0;
}
