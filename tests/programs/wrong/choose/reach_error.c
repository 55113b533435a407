// reach_error is reached.
// EXPECT: finding assertion
// TESTS: 4
// DFS: yes
// OPTIONS: --races=off
#include <pthread.h>

extern void reach_error(void);

static int x;

static void *add(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    if (x != 2)
        reach_error();
}
