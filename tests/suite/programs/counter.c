/* Two threads add to a counter under a lock, and one of them looks at a flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int flag;

static void *add(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *argument)
{
    (void)argument;
    int seen = flag;
    pthread_mutex_lock(&lock);
    counter += seen ? 10 : 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, look, NULL);
    flag = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter >= 2);
    return 0;
}
