/* Transfers between accounts, with a lock each; with CIRCLE they can deadlock. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    int balance;
} accounts[N];

static void *transfer(void *which)
{
    long from = (long)which, to = (from + 1) % N, low = from < to ? from : to, high = from < to ? to : from;
#ifdef CIRCLE
    low = from;
    high = to;
#endif
    pthread_mutex_lock(&accounts[low].lock);
    pthread_mutex_lock(&accounts[high].lock);
    accounts[from].balance -= 5;
    accounts[to].balance += 5;
    pthread_mutex_unlock(&accounts[high].lock);
    pthread_mutex_unlock(&accounts[low].lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, transfer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        sum += accounts[i].balance;
    assert(!sum);
    return 0;
}
