/* A loop whose rounds are calls of another function, and a block that is freed twice by one thread: the second is not
 * shared, so no operation of the first is recorded. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void raise_it(void)
{
    pthread_mutex_lock(&m);
    level = 1;
    pthread_mutex_unlock(&m);
}

static void *runs(void *arg)
{
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&m);
        level = 0;
        pthread_mutex_unlock(&m);
        raise_it();
    }
    return arg;
}

static void gives_back(void *block)
{
    free(block);
}

int main(void)
{
    pthread_t other;
    void *block = malloc(4);
    pthread_create(&other, NULL, runs, NULL);
    raise_it();
    pthread_join(other, NULL);
    gives_back(block);
    free(block);
    return 0;
}
