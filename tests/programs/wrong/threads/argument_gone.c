// All threads get the address of the loop variable: what they see depends on when they look.
// EXPECT: finding data-race
// DFS: yes
#include <pthread.h>

static int seen[2][16];

static void *work(void *argument)
{
    int i = *(int *)argument;
    seen[i < 2 ? i : 0][0]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
}
