/* Four threads with three sections each on one lock; a section makes 50 accesses to CELLS variables. */
#include <pthread.h>

enum { THREADS = 4, SECTIONS = 3, ACCESSES = 50 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long cells[CELLS];

static void *work(void *amount)
{
    for (int k = 0; k < SECTIONS; k++) {
        pthread_mutex_lock(&lock);
        for (int i = 0; i < ACCESSES / 2; i++)
            cells[i % CELLS] += (long)amount; /* a read and a write */
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
