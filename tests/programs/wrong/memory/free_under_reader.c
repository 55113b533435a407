// T1 frees, under a lock that T2 does not take, what T2 reads. Found in
// whatever order they come.
// EXPECT: finding use-after-free
// EXPECT: finding data-race
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *frees(void *unused)
{
    pthread_mutex_lock(&lock);
    free(shared);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reads(void *unused)
{
    return *shared ? unused : NULL;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&a, NULL, frees, NULL);
    pthread_create(&b, NULL, reads, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
