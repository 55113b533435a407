// What a method accesses is accessed elsewhere, too, if under the same lock.
// EXPECT: finding annotation
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

HEDDLE_METHOD static void add(int *to)
{
    pthread_mutex_lock(&lock);
    ++*to;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add(&count);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    count = 5;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
