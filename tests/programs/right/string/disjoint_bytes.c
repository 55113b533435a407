// Two threads copy into different bytes of the same words: nothing is shared.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[16];

static void *first(void *unused)
{
    memcpy(text, "abcd", 4);
    return unused;
}

static void *second(void *unused)
{
    memset(text + 4, 'x', 9);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(text, "abcdxxxxxxxxx") == 0);
}
