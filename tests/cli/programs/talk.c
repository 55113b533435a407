#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int turn;

static void *other(void *arg)
{
    turn = 1;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    printf("%d words, the last is <%s>\n", argc, argv[argc - 1]);
    assert(turn == 0);
    pthread_join(t, NULL);
    return 0;
}
