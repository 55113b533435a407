// Choices of different threads commute: the product.
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <heddle.h>
#include <pthread.h>

int picked[2][16];

static void *pick(void *number)
{
    picked[(long)number][0] = (int)heddle_choose(2 + (unsigned)(long)number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, pick, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
