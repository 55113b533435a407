// volatile accesses are operations like others; it takes the lock to make them safe.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x == 4);
}
