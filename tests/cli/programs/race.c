#include <pthread.h>
#include <stdio.h>

static int counter;

static void bump(void)
{
    counter++;
}

static void *worker(void *arg)
{
    (void)arg;
    bump();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
