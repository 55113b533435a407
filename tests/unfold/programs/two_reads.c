/* Two threads read a variable that nobody writes. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *reader(void *argument)
{
    (void)argument;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
