// Between two reads of the same bytes there is another access, where another
// thread can come in and free them.
// EXPECT: finding use-after-free at 23
// EXPECT: finding use-after-free at 24
// TESTS: 4
// OPTIONS: --races=off
// DFS: yes
#include <pthread.h>
#include <stdlib.h>

static int *shared, turn;

static void *frees(void *unused)
{
    turn = 1;
    free(shared);
    return unused;
}

static void *reads(void *unused)
{
    int *own = shared;
    int before = *own;
    if (turn && *own != before)
        abort();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = calloc(1, sizeof *shared);
    pthread_create(&a, NULL, frees, NULL);
    pthread_create(&b, NULL, reads, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
