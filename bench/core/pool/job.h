/* A job: a function of a few numbers, and where its result will be. */
#ifndef POOL_JOB_H
#define POOL_JOB_H

enum { JOB_ARGUMENTS = 4 };

typedef long job_function(const long *arguments, int count);

typedef enum job_state { JOB_NEW, JOB_WAITS, JOB_RUNS, JOB_DONE, JOB_CANCELLED } job_state;

typedef struct job {
    job_function *function;
    long arguments[JOB_ARGUMENTS];
    int count;
    job_state state;
    long result;
    int worker; /* that did it; -1: none */
} job;

void job_init(job *j, job_function *function, const long *arguments, int count);

/* Does it; the caller owns the job meanwhile. */
void job_run(job *j, int worker);

const char *job_state_name(job_state state);

/* Functions for jobs. */
job_function job_sum, job_product, job_greatest, job_divisor, job_digits;

#endif
