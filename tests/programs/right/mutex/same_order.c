// Two locks taken in the same order: no deadlock; the outer lock orders everything.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    x++;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, work, NULL);
    pthread_create(&q, NULL, work, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
