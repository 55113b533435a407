// Two threads use a variable and a block that are annotated as unshared. A lock orders them, so it is no race.
// EXPECT: finding annotation at 17
// EXPECT: finding annotation at 18
// TESTS: 2
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HEDDLE_UNSHARED static int variable;
static int beside;
static int *block;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    variable++;
    *block = variable;
    beside++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(sizeof *block);
    heddle_unshared(block, sizeof *block);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
}
