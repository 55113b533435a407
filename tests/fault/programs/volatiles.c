/* Many executions, and two data races. */
#include <pthread.h>

static volatile int a, b;

static void *writer(void *unused)
{
    a = 1;
    b = -1;
    return unused;
}

int main(void)
{
    pthread_t threads[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, writer, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
