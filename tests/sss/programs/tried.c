/* A lock that is tried: releasing it is visible, so the section of the first thread is no single step. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *holder(void *unused)
{
    pthread_mutex_lock(&lock);
    inside = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *looker(void *unused)
{
    assert(!pthread_mutex_trylock(&lock)); /* line 20 */
    inside = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, looker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
