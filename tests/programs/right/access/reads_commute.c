// Reads of one variable commute: one execution.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <pthread.h>

static int x = 7, seen[3][16];

static void *look(void *number)
{
    seen[(long)number][0] = x;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, look, (void *)i);
    for (long i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
