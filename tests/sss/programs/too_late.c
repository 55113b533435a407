/* A block that is published under a lock in the step that allocates it, and changed without the lock afterwards. No
 * visible operation comes between its accesses. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *published;

static void *publisher(void *unused)
{
    pthread_mutex_lock(&lock);
    int *block = malloc(sizeof *block);
    published = block;
    pthread_mutex_unlock(&lock);
    *block = 1;
    return unused;
}

static void *user(void *unused)
{
    pthread_mutex_lock(&lock);
    if (published)
        *published = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, publisher, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
