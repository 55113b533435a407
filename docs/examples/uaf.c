#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    int *mine = shared;
    pthread_mutex_unlock(&lock);
    if (mine)
        *mine += 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
