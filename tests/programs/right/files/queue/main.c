// A program of several files.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include "queue.h"

static queue q = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int taken;

static void *put(void *unused)
{
    queue_put(&q, 1);
    return unused;
}

static void *take(void *unused)
{
    taken = queue_take(&q);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, put, NULL);
    pthread_create(&q, NULL, take, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
