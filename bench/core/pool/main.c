/* Two workers, four jobs, one of which may be cancelled; every result is
 * checked. */
#include "pool.h"

#include <assert.h>
#include <stdio.h>

enum { WORKERS = 2, JOBS = 4 };

typedef struct task {
    job_function *function;
    long arguments[JOB_ARGUMENTS];
    int count;
    priority how;
    long expected;
} task;

static const task tasks[JOBS] = {
    { job_sum, { 1, 2, 3, 4 }, 4, NORMAL, 10 },
    { job_product, { 2, 3, 7 }, 3, URGENT, 42 },
    { job_divisor, { 84, 36 }, 2, NORMAL, 12 },
    { job_greatest, { 5, 9, 1 }, 3, NORMAL, 9 },
};

static void submit_all(pool *p, job *jobs)
{
    for (int i = 0; i < JOBS; i++) {
        job_init(&jobs[i], tasks[i].function, tasks[i].arguments, tasks[i].count);
        bool accepted = pool_submit(p, &jobs[i], tasks[i].how);
        assert(accepted);
        (void)accepted;
    }
}

static unsigned wait_for_all(pool *p, job *jobs)
{
    unsigned done = 0;
    for (int i = 0; i < JOBS; i++) {
        long result = 0;
        if (pool_wait(p, &jobs[i], &result)) {
            assert(result == tasks[i].expected);
            done++;
        } else {
            printf("job %d: %s\n", i, job_state_name(jobs[i].state));
        }
    }
    return done;
}

int main(void)
{
    static pool p;
    static job jobs[JOBS];
    if (!pool_open(&p, WORKERS))
        return 1;
    submit_all(&p, jobs);
    bool cancelled = pool_cancel(&p, &jobs[JOBS - 1]);
    unsigned done = wait_for_all(&p, jobs);
    pool_drain(&p);
    pool_statistics s = pool_get_statistics(&p);
    pool_close(&p);
    assert(done == s.done && s.done + s.cancelled == JOBS && s.cancelled == cancelled);
    assert(history_count(&p.history, HISTORY_DONE) == done);
    printf("%u jobs done, %u cancelled\n", s.done, s.cancelled);
    return 0;
}
