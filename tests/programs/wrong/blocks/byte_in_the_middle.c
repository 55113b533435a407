// One byte inside a large block is written beside the copy of the whole block.
// EXPECT: finding data-race at 15
// EXPECT: finding data-race at 24
#include <pthread.h>
#include <string.h>

enum { SIZE = 1 << 20 };

static char block[SIZE], copy[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused)
{
    pthread_mutex_lock(&lock);
    memset(block, 1, SIZE);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *take(void *unused)
{
    fill(NULL);
    pthread_mutex_lock(&lock);
    memcpy(copy, block, SIZE);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *scribble(void *unused)
{
    fill(NULL);
    block[700001] = 2;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, take, NULL);
    pthread_create(&second, NULL, scribble, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
