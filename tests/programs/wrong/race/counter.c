// The plain counter. A read and a write each: 4 orders that differ.
// EXPECT: finding data-race
// TESTS: 4
// DFS: yes
#include <pthread.h>

static int count;

static void *add(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
