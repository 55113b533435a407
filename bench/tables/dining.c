/* N philosophers, ROUNDS meals each, all with the left fork first: they can deadlock. */
#include "../field/field.h"

static pthread_mutex_t forks[N];

static void *dine(void *argument)
{
    int me = number(argument);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&forks[me]);
        pthread_mutex_lock(&forks[(me + 1) % N]);
        pthread_mutex_unlock(&forks[(me + 1) % N]);
        pthread_mutex_unlock(&forks[me]);
    }
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
