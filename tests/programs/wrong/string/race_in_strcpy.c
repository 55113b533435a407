// EXPECT: finding data-race
// TESTS: 2
#include <pthread.h>
#include <string.h>

static char text[32];

static void *writes(void *word)
{
    strcpy(text, word);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writes, "a long enough word");
    size_t n = strlen(text);
    pthread_join(t, NULL);
    return n == 0 || n == 18 ? 0 : 1;
}
