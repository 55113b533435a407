// Two waiters, one item each, woken together: the condition is not looked at again.
// Or the second comes too late and waits forever.
// EXPECT: finding assertion
// EXPECT: finding deadlock
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *takes(void *unused)
{
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&changed, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, takes, NULL);
    pthread_create(&b, NULL, takes, NULL);
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
