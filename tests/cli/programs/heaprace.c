#include <pthread.h>
#include <stdlib.h>

static void *bump(void *box)
{
    int *values = box;
    values[2] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *values = calloc(4, sizeof *values);
    pthread_create(&t, NULL, bump, values);
    values[2] = 2;
    pthread_join(t, NULL);
    free(values);
    return 0;
}
