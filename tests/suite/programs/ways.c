/* A thread that goes one of two ways, and does nothing that others could see on either. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static int twice(int x)
{
    volatile int y = x;
    return y * 2;
}
static void *look(void *argument)
{
    if (flag)
        return (void *)(long)twice(1);
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    flag = 1;
    pthread_join(t, NULL);
    return 0;
}
