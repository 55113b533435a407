/* N dining philosophers, one meal each. All take their left fork first and can
 * deadlock; with -DSAFE the last one does not. */
#include "field.h"

static pthread_mutex_t forks[N];
static int meals[N];

static void *dine(void *argument)
{
    int me = number(argument), first = me, second = (me + 1) % N;
#ifdef SAFE
    if (me == N - 1) {
        first = 0;
        second = N - 1;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[me]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    start_all(threads, N, dine);
    join_all(threads, N);
    return 0;
}
