// Whichever thread comes first uses the variable, so both do, in different executions. In each, one thread uses it: its accesses
// are no operations. dfs runs the two orders of the sections and of what the second thread finds.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;
HEDDLE_UNSHARED static int of_first[4];

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int first = !taken;
    taken = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; first && i < 4; i++)
        of_first[i]++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return of_first[3] - 1;
}
