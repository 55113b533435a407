// A destructor takes away what a thread that was not joined still uses.
// EXPECT: finding data-race
// EXPECT: finding use-after-free at 15
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *use(void *unused)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int *mine = shared;
    *mine = 1;
    return unused;
}

__attribute__((constructor)) static void prepare(void)
{
    shared = malloc(sizeof *shared);
}

__attribute__((destructor)) static void clean_up(void)
{
    free(shared);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    return 0;
}
