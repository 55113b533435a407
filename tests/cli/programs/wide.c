/* An explorer works long on one execution: 40,000 operations on 1000 variables. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[1000];

static void *work(void *arg)
{
    for (int i = 0; i < 10000; i++)
        atomic_fetch_add(&x[i % 1000], 1);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}
