#include "pool.h"

#include <assert.h>
#include <string.h>

/* --- workers ------------------------------------------------------------------ */

/* The next job, or NULL when there will be none. With the lock held. */
static job *next_job(pool *p)
{
    while (queue_is_empty(&p->waiting) && !p->closing)
        pthread_cond_wait(&p->work, &p->lock);
    if (queue_is_empty(&p->waiting))
        return NULL;
    job *j = queue_take(&p->waiting);
    j->state = JOB_RUNS;
    p->running++;
    pthread_cond_signal(&p->room);
    return j;
}

static void finish_job(pool *p, job *j, int worker)
{
    j->state = JOB_DONE;
    p->running--;
    p->statistics.done++;
    p->statistics.by_worker[worker]++;
    history_add(&p->history, HISTORY_DONE, worker);
    pthread_cond_broadcast(&p->done);
}

static int take_number(pool *p)
{
    return p->workers++;
}

static void *work(void *argument)
{
    pool *p = argument;
    pthread_mutex_lock(&p->lock);
    int number = take_number(p);
    for (job *j = next_job(p); j; j = next_job(p)) {
        pthread_mutex_unlock(&p->lock);
        job_run(j, number);
        pthread_mutex_lock(&p->lock);
        finish_job(p, j, number);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* --- opening and closing --------------------------------------------------------- */

static void end_workers(pool *p, int started)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    history_add(&p->history, HISTORY_CLOSE, -1);
    pthread_cond_broadcast(&p->work);
    pthread_cond_broadcast(&p->room);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < started; i++)
        pthread_join(p->threads[i], NULL);
}

static void destroy(pool *p)
{
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->room);
    pthread_cond_destroy(&p->done);
}

bool pool_open(pool *p, int workers)
{
    assert(workers > 0 && workers <= POOL_WORKERS_MOST);
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->room, NULL);
    pthread_cond_init(&p->done, NULL);
    queue_init(&p->waiting);
    history_init(&p->history);
    for (int i = 0; i < workers; i++)
        if (pthread_create(&p->threads[i], NULL, work, p)) {
            end_workers(p, i);
            destroy(p);
            return false;
        }
    return true;
}

void pool_close(pool *p)
{
    int started = 0;
    while (started < POOL_WORKERS_MOST && p->threads[started])
        started++;
    end_workers(p, started);
    assert(queue_is_empty(&p->waiting) && p->running == 0);
    destroy(p);
}

/* --- jobs -------------------------------------------------------------------------- */

static void accept_job(pool *p, job *j, priority how)
{
    j->state = JOB_WAITS;
    queue_put(&p->waiting, j, how);
    p->statistics.submitted++;
    history_add(&p->history, HISTORY_SUBMIT, -1);
    pthread_cond_signal(&p->work);
}

bool pool_submit(pool *p, job *j, priority how)
{
    pthread_mutex_lock(&p->lock);
    while (queue_is_full(&p->waiting, how) && !p->closing)
        pthread_cond_wait(&p->room, &p->lock);
    bool accepted = !p->closing;
    if (accepted)
        accept_job(p, j, how);
    else
        p->statistics.refused++;
    pthread_mutex_unlock(&p->lock);
    return accepted;
}

bool pool_try_submit(pool *p, job *j, priority how)
{
    pthread_mutex_lock(&p->lock);
    bool accepted = !p->closing && !queue_is_full(&p->waiting, how);
    if (accepted)
        accept_job(p, j, how);
    else
        p->statistics.refused++;
    pthread_mutex_unlock(&p->lock);
    return accepted;
}

bool pool_cancel(pool *p, job *j)
{
    pthread_mutex_lock(&p->lock);
    bool cancelled = j->state == JOB_WAITS && queue_remove(&p->waiting, j);
    if (cancelled) {
        j->state = JOB_CANCELLED;
        p->statistics.cancelled++;
        history_add(&p->history, HISTORY_CANCEL, -1);
        pthread_cond_signal(&p->room);
        pthread_cond_broadcast(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return cancelled;
}

bool pool_wait(pool *p, job *j, long *result)
{
    pthread_mutex_lock(&p->lock);
    while (j->state != JOB_DONE && j->state != JOB_CANCELLED)
        pthread_cond_wait(&p->done, &p->lock);
    bool done = j->state == JOB_DONE;
    if (done)
        *result = j->result;
    pthread_mutex_unlock(&p->lock);
    return done;
}

void pool_drain(pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (!queue_is_empty(&p->waiting) || p->running)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

pool_statistics pool_get_statistics(pool *p)
{
    pthread_mutex_lock(&p->lock);
    pool_statistics statistics = p->statistics;
    pthread_mutex_unlock(&p->lock);
    return statistics;
}
