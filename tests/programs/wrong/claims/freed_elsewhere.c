// A block that is annotated as unshared is freed by another thread: a use of it, and here a race with the accesses, although they
// are no operations as long as the annotation is true.
// EXPECT: finding annotation
// EXPECT: finding data-race
// EXPECT: finding use-after-free
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *work(void *unused)
{
    free(block);
    return unused;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    heddle_unshared(block, sizeof *block);
    pthread_create(&t, NULL, work, NULL);
    *block = 1;
    pthread_join(t, NULL);
}
