// A variable that is tentatively unshared, and is not, beside one that is. A lock orders the accesses.
// EXPECT: finding annotation at 16
// TESTS: 2
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HEDDLE_TENTATIVELY_UNSHARED static int variable, of_main;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (unused)
        of_main++;
    else
        variable++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    of_main++;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
