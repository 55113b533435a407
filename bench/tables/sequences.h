/* What the programs made of arbitrary sequences of operations share. The paper's are not published: ours were searched
 * for among random ones so that the unfolding needs about as many tests as for the paper's. */
#ifndef BENCH_SEQUENCES_H
#define BENCH_SEQUENCES_H

#include "../field/field.h"

#include <heddle.h>

static shared a, b, c;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static inline void write_locked(shared *variable)
{
    pthread_mutex_lock(&lock);
    *variable = 1;
    pthread_mutex_unlock(&lock);
}

static inline void read_locked(shared *variable)
{
    pthread_mutex_lock(&lock);
    (void)*variable;
    pthread_mutex_unlock(&lock);
}

#endif
