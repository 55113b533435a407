/* A thread's way depends on the program's argument, and on the environment. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int x;
static char **words;

static void *decide(void *unused)
{
    if (!strcmp(words[1], "go"))
        x = 1;
    return unused;
}

static void *look(void *unused)
{
    const char *mode = getenv("MODE");
    int seen = x;
    return mode && mode[0] == 'z' && seen ? &x : unused;
}

int main(int count, char **arguments)
{
    pthread_t a, b;
    words = arguments;
    if (count < 2)
        return 1;
    pthread_create(&a, 0, decide, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
