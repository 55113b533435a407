#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *reader(void *arg)
{
    (void)arg;
    return *p ? arg : NULL;
}

int main(void)
{
    pthread_t a;
    p = malloc(8);
    *p = 0;
    pthread_create(&a, NULL, reader, NULL);
    free(p);
    pthread_join(a, NULL);
    return 0;
}
