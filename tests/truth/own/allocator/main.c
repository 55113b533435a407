// A program's own malloc, in another file, that takes blocks without its lock: two threads get the same one.
// RUN: EXPECT=complete
// RUN: -DBROKEN FINDING=assertion,data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int pool_holds(const void *p);

static char *blocks[2];

static void *take(void *at)
{
    *(char **)at = malloc(24);
    return at;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, take, &blocks[0]);
    take(&blocks[1]);
    pthread_join(t, NULL);
    assert(blocks[0] != blocks[1] && pool_holds(blocks[0]) && pool_holds(blocks[1]));
    assert(pool_holds(strdup("a text of the C library's")));
    free(blocks[0]);
}
