// Two updates of two variables in one block: 2 orders instead of many.
// EXPECT: complete
// TESTS: 2
// DFS: yes
// OPTIONS: --races=off
#include <heddle.h>
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *add(void *unused)
{
    heddle_atomic_begin();
    x++;
    y += x;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(x == 2 && y == 3);
}
