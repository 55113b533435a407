// Two threads fill blocks that have one cell in common, and in it one byte.
// EXPECT: finding data-race
#include <pthread.h>
#include <string.h>

enum { SIZE = 1 << 16, MIDDLE = SIZE / 2 + 3 };

static char block[SIZE];

static void *left(void *unused)
{
    memset(block, 1, MIDDLE + 1);
    return unused;
}

static void *right(void *unused)
{
    memset(block + MIDDLE, 2, SIZE - MIDDLE);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
