/* N threads that pass K critical sections of one mutex each: (N K)! / K!^N
 * orders. */
#include "field.h"

static int counter, last[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sections(void *argument)
{
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&lock);
        last[number(argument)] = ++counter;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    start_all(threads, N, sections);
    join_all(threads, N);
    assert(counter == N * K);
    return 0;
}
