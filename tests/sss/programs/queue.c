/* A work queue: a list of jobs on the heap, with one lock. Each thread adds a job, and then takes jobs until there are none. A
 * job that it has taken is its own. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    struct job *next;
    int number, result;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *jobs;

static void add(int number)
{
    struct job *job = malloc(sizeof *job);
    job->number = number;
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_mutex_unlock(&lock);
}

static struct job *take(void)
{
    pthread_mutex_lock(&lock);
    struct job *job = jobs;
    if (job)
        jobs = job->next;
    pthread_mutex_unlock(&lock);
    return job;
}

static void *work(void *number)
{
    add((int)(long)number);
    for (struct job *job; (job = take());) {
        pthread_mutex_lock(&lock);
        job->result = 2 * job->number;
        pthread_mutex_unlock(&lock);
        free(job);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
