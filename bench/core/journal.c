/* Threads take jobs under a lock, compute, and note each result: in a variable, or (JOURNAL) at the end of a file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 3, JOBS = 4, WORK = 2000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static unsigned results[THREADS * JOBS];
#ifdef JOURNAL
static int journal;
#endif

static void note(unsigned result)
{
    pthread_mutex_lock(&lock);
    results[next++] = result;
#ifdef JOURNAL
    if (write(journal, &result, sizeof result) != sizeof result)
        abort();
#endif
    pthread_mutex_unlock(&lock);
}

static void *work(void *seed)
{
    unsigned x = (unsigned)(size_t)seed;
    for (int job = 0; job < JOBS; job++) {
        for (int i = 0; i < WORK; i++)
            x = x * 1664525 + 1013904223;
        note(x);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
#ifdef JOURNAL
    journal = open("/tmp/heddle-journal", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
#endif
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#ifdef JOURNAL
    close(journal);
#endif
}
