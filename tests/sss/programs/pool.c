/* A pool of N threads that take JOBS jobs, allocated by main, from a queue; each job has a result of its own. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
    struct job *next;
    int input, output;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static struct job *queue;
static int done;

static void *work(void *unused)
{
    for (;;) {
        sem_wait(&ready);
        pthread_mutex_lock(&lock);
        struct job *job = queue;
        if (job)
            queue = job->next;
        if (job) {
            job->output = job->input * job->input;
            done++;
        }
        pthread_mutex_unlock(&lock);
        if (!job)
            return unused;
    }
}

int main(void)
{
    pthread_t threads[N];
    sem_init(&ready, 0, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < JOBS + N; i++) {
        struct job *job = malloc(sizeof *job);
        *job = (struct job) { NULL, i, 0 };
        pthread_mutex_lock(&lock);
        job->next = queue;
        if (i < JOBS)
            queue = job;
        pthread_mutex_unlock(&lock);
        sem_post(&ready);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(done == JOBS);
    return 0;
}
