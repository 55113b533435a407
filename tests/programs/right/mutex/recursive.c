// A recursive mutex is held until its last unlock.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int x;

static void add(int depth)
{
    pthread_mutex_lock(&lock);
    x++;
    if (depth)
        add(depth - 1);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    add(2);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_t p, q;
    pthread_create(&p, NULL, work, NULL);
    pthread_create(&q, NULL, work, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x == 6);
}
