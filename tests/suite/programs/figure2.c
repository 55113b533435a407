/* The program of Figure 2 of the paper: two threads read X, a third writes it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *read_x(void *argument)
{
    (void)argument;
    (void)atomic_load(&x);
    return NULL;
}

static void *write_x(void *argument)
{
    (void)argument;
    atomic_store(&x, 5);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, read_x, NULL);
    pthread_create(&t[1], NULL, write_x, NULL);
    pthread_create(&t[2], NULL, read_x, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
