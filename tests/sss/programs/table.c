/* A table with one lock: N threads make K updates each. Thread i updates row i, or row 0 if it is below SAME. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#ifndef SAME
#define SAME 0
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rows[N];

static void *update(void *which)
{
    long i = (long)which < SAME ? 0 : (long)which;
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&lock);
        rows[i] = rows[i] * 3 + (long)which;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, update, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
