#include <pthread.h>
#include <stdlib.h>

static int value = 7;
static int *_Atomic p = &value;

static int look(int *q)
{
    return *q;
}

static void *reader(void *arg)
{
    (void)arg;
    return look(p) == 7 ? arg : NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    p = NULL;
    pthread_join(a, NULL);
    return 0;
}
