/* PRODUCERS and CONSUMERS of a buffer with one place, ITEMS from each producer,
 * with a mutex and two condition variables. */
#include "field.h"

static int place, is_full, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;

static void *produce(void *argument)
{
    (void)argument;
    for (int k = 1; k <= ITEMS; k++) {
        pthread_mutex_lock(&lock);
        while (is_full)
            pthread_cond_wait(&emptied, &lock);
        place = k;
        is_full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *argument)
{
    (void)argument;
    for (int k = 0; k < ITEMS * PRODUCERS / CONSUMERS; k++) {
        pthread_mutex_lock(&lock);
        while (!is_full)
            pthread_cond_wait(&filled, &lock);
        sum += place;
        is_full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[PRODUCERS + CONSUMERS];
    start_all(threads, PRODUCERS, produce);
    start_all(threads + PRODUCERS, CONSUMERS, consume);
    join_all(threads, PRODUCERS + CONSUMERS);
    assert(sum == PRODUCERS * ITEMS * (ITEMS + 1) / 2);
    return 0;
}
