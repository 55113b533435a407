// What one thread uses at a time is unshared: a variable of one thread, a block that is freed by its thread, and what main has
// before the first thread and after the last.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

HEDDLE_UNSHARED static int of_main, of_thread;
int shared_cell[2]; /* another variable beside it does not matter */

static void *work(void *unused)
{
    int *block = malloc(sizeof *block);
    heddle_unshared(block, sizeof *block);
    *block = 1;
    of_thread += *block;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t t;
    of_thread = 1;
    pthread_create(&t, NULL, work, NULL);
    of_main++;
    pthread_join(t, NULL);
    return of_thread - 2;
}
