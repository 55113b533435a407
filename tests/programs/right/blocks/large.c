// Large blocks that are filled and copied as a whole: each is one operation.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 10 << 20 };

static char *block;
static char copy[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *value)
{
    pthread_mutex_lock(&lock);
    memset(block, (int)(long)value, SIZE);
    memcpy(copy, block, SIZE);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    block = malloc(SIZE);
    pthread_create(&first, NULL, fill, (void *)1);
    pthread_create(&second, NULL, fill, (void *)2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(copy[0] == block[SIZE - 1] && !memcmp(copy, block, SIZE));
    free(block);
}
