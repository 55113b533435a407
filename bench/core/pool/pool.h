/* A pool of threads that do jobs.
 *
 * One lock protects everything. Workers wait for `work`, those who submit wait
 * for `room`, those who want a result wait for `done`. Once closing has begun
 * nothing more is taken in; what is in the queue is still done. */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include "history.h"
#include "queue.h"

#include <pthread.h>

enum { POOL_WORKERS_MOST = 8 };

typedef struct pool_statistics {
    unsigned submitted, done, cancelled, refused;
    unsigned by_worker[POOL_WORKERS_MOST];
} pool_statistics;

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, room, done;
    queue waiting;
    unsigned running;
    bool closing;
    int workers;
    pthread_t threads[POOL_WORKERS_MOST];
    pool_statistics statistics;
    history history;
} pool;

/* False: a thread could not be made; the pool is not open then. */
bool pool_open(pool *p, int workers);

/* Waits for all jobs, ends the workers. */
void pool_close(pool *p);

/* Waits for room in the queue. False: the pool is closing. The job must live
 * until it is done or cancelled. */
bool pool_submit(pool *p, job *j, priority how);

/* The same, but false as well if there is no room now. */
bool pool_try_submit(pool *p, job *j, priority how);

/* Takes back a job that nobody has begun. False: too late. */
bool pool_cancel(pool *p, job *j);

/* Waits until the job is done or cancelled; false: it was cancelled. */
bool pool_wait(pool *p, job *j, long *result);

/* Waits until nothing is waiting or running. */
void pool_drain(pool *p);

pool_statistics pool_get_statistics(pool *p);

#endif
