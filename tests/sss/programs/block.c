/* A lock that is taken in the middle of an atomic block: there, taking it is a try. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;
static int first;

static void *block(void *unused)
{
    heddle_atomic_begin();
    begun++;
    pthread_mutex_lock(&lock);
    first++;
    pthread_mutex_unlock(&lock);
    heddle_atomic_end();
    return unused;
}

static void *section(void *unused)
{
    begun--;
    pthread_mutex_lock(&lock);
    first++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, block, NULL);
    pthread_create(&b, NULL, section, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
