// Two threads free the same block: whoever comes second frees it twice.
// EXPECT: finding double-free
// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *frees(void *unused)
{
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(16);
    pthread_create(&a, NULL, frees, NULL);
    pthread_create(&b, NULL, frees, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
