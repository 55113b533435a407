// strtok keeps its place in a variable that all threads share.
// EXPECT: finding data-race
#include <pthread.h>
#include <string.h>

static void *cuts(void *text)
{
    strtok(text, " ");
    return NULL;
}

int main(void)
{
    pthread_t t;
    char a[] = "a b", b[] = "c d";
    pthread_create(&t, NULL, cuts, a);
    cuts(b);
    pthread_join(t, NULL);
}
