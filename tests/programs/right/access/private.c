// Memory that one thread at a time works on, handed over by create and join, has no operations to explore.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[100];

static void *fill(void *letter)
{
    memset(text, *(int *)letter, sizeof text - 1);
    return NULL;
}

int main(void)
{
    for (int letter = 'a'; letter < 'd'; letter++) {
        pthread_t a;
        pthread_create(&a, NULL, fill, &letter);
        pthread_join(a, NULL);
        assert(text[0] == letter && strlen(text) == 99);
    }
}
