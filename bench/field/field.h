/* What the programs of this folder share: threads that know their number, and
 * shared variables that are sequentially consistent atomics. */
#ifndef BENCH_FIELD_H
#define BENCH_FIELD_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef atomic_int shared;

static inline int number(void *argument)
{
    return (int)(intptr_t)argument;
}

static inline void start(pthread_t *thread, void *(*body)(void *), int number)
{
    pthread_create(thread, NULL, body, (void *)(intptr_t)number);
}

static inline void start_all(pthread_t *threads, int count, void *(*body)(void *))
{
    for (int i = 0; i < count; i++)
        start(&threads[i], body, i);
}

static inline void join_all(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

#endif
