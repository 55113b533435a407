#include "job.h"

#include <assert.h>
#include <string.h>

void job_init(job *j, job_function *function, const long *arguments, int count)
{
    assert(count >= 0 && count <= JOB_ARGUMENTS);
    memset(j, 0, sizeof *j);
    j->function = function;
    j->count = count;
    j->worker = -1;
    for (int i = 0; i < count; i++)
        j->arguments[i] = arguments[i];
}

void job_run(job *j, int worker)
{
    assert(j->state == JOB_RUNS);
    j->worker = worker;
    j->result = j->function(j->arguments, j->count);
}

const char *job_state_name(job_state state)
{
    switch (state) {
    case JOB_NEW:
        return "new";
    case JOB_WAITS:
        return "waits";
    case JOB_RUNS:
        return "runs";
    case JOB_DONE:
        return "done";
    case JOB_CANCELLED:
        return "cancelled";
    }
    return "?";
}

long job_sum(const long *arguments, int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += arguments[i];
    return sum;
}

long job_product(const long *arguments, int count)
{
    long product = 1;
    for (int i = 0; i < count; i++)
        product *= arguments[i];
    return product;
}

long job_greatest(const long *arguments, int count)
{
    long greatest = arguments[0];
    for (int i = 1; i < count; i++)
        if (arguments[i] > greatest)
            greatest = arguments[i];
    return greatest;
}

long job_divisor(const long *arguments, int count)
{
    long a = arguments[0], b = count > 1 ? arguments[1] : 0;
    while (b) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

long job_digits(const long *arguments, int count)
{
    long digits = 0;
    for (int i = 0; i < count; i++)
        for (long n = arguments[i]; n; n /= 10)
            digits += n % 10;
    return digits;
}
