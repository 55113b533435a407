// Bit fields of one word under one lock.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned a : 3, b : 5, c : 10;
} x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&lock);
    x.a = 5;
    x.c = 700;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&lock);
    x.b = 17;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, one, NULL);
    pthread_create(&q, NULL, two, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x.a == 5 && x.b == 17 && x.c == 700);
}
