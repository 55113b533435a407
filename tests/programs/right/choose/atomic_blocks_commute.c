// Blocks that touch different variables commute.
// EXPECT: complete
// TESTS: 1
// DFS: yes
// OPTIONS: --races=off
#include <heddle.h>
#include <pthread.h>

static long x[2][2];

static void *add(void *number)
{
    long i = (long)number;
    heddle_atomic_begin();
    x[i][0]++;
    x[i][1]++;
    heddle_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, (void *)0);
    pthread_create(&b, NULL, add, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
