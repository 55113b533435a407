/* Two threads read a variable, a third writes it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *reader(void *argument)
{
    (void)argument;
    (void)atomic_load(&x);
    return NULL;
}

static void *writer(void *argument)
{
    (void)argument;
    atomic_store(&x, 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
