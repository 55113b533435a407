/* Two threads beside 64 MB of memory that the program writes, or only reserves: what resetting it costs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 << 20, ROUNDS = 6 };

static char variable[SIZE];
static atomic_int counter;

static void *count(void *argument)
{
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&counter, 1);
    return argument;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    char *block = malloc(SIZE);
    pthread_t first, second;
    if (!strcmp(what, "block"))
        memset(block, 1, SIZE);
    if (!strcmp(what, "variable"))
        memset(variable, 1, SIZE);
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(block);
    return 0;
}
