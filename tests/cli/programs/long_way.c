/* A failure at the end of an execution of 10,000 steps. */
#include <assert.h>
#include <pthread.h>

enum { TURNS = 1250 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *turn(void *unused)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, turn, NULL);
    pthread_create(&two, NULL, turn, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 0);
    return 0;
}
