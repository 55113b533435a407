/* main THREADS KERNEL ROUNDS: the kernel in the only thread there is, or in
 * each of several. */
#include "kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    kernel *run;
} kernels[] = {
    { "sort", kernel_sort },
    { "hash", kernel_hash },
    { "matrix", kernel_matrix },
    { "interpreter", kernel_interpreter },
    { "list", kernel_list },
    { "text", kernel_text },
};

typedef struct job {
    kernel *run;
    uint32_t rounds;
    uint64_t result;
} job;

static void *work(void *argument)
{
    job *j = argument;
    j->result = j->run(j->rounds);
    return NULL;
}

static uint64_t run_threads(int threads, job job_of_each)
{
    enum { MOST = 16 };
    pthread_t ids[MOST];
    job *jobs[MOST];
    uint64_t sum = 0;
    for (int i = 0; i < threads && i < MOST; i++) {
        jobs[i] = malloc(sizeof *jobs[i]);
        *jobs[i] = job_of_each;
        pthread_create(&ids[i], NULL, work, jobs[i]);
    }
    for (int i = 0; i < threads && i < MOST; i++) {
        pthread_join(ids[i], NULL);
        sum += jobs[i]->result;
        free(jobs[i]);
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int threads = atoi(argv[1]);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        job j = { kernels[i].run, (uint32_t)atoi(argv[3]), 0 };
        if (strcmp(kernels[i].name, argv[2]))
            continue;
        uint64_t result = threads > 1 ? run_threads(threads, j) : j.run(j.rounds);
        printf("%llu\n", (unsigned long long)result);
        return 0;
    }
    return 2;
}
