// A large struct copied in and out under a lock is never seen half written.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

typedef struct big {
    int v[20];
} big;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static big shared;

static void *write_all(void *unused)
{
    big b;
    for (int i = 0; i < 20; i++)
        b.v[i] = 9;
    pthread_mutex_lock(&lock);
    shared = b;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *read_all(void *unused)
{
    pthread_mutex_lock(&lock);
    big b = shared;
    pthread_mutex_unlock(&lock);
    assert(b.v[0] == b.v[19]);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, write_all, NULL);
    pthread_create(&q, NULL, read_all, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
