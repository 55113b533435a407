/* Threads that perform the operations in their arguments on two semaphores: the first argument has the initial values,
 * each further one the operations of a thread. w0 waits for semaphore 0, t0 tries to, p0 posts it, v0 reads its value. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

enum { MOST_THREADS = 4 };

static sem_t semaphores[2];
long seen[MOST_THREADS]; /* what each thread has learned */
static _Alignas(8) char scripts[MOST_THREADS][16]; /* no cell belongs to two threads */

static int perform(char what, sem_t *s)
{
    int result = 0;
    switch (what) {
    case 'w':
        sem_wait(s);
        break;
    case 'p':
        sem_post(s);
        break;
    case 't':
        result = 1 + (sem_trywait(s) == 0);
        break;
    default:
        sem_getvalue(s, &result);
        result += 3;
    }
    return result;
}

static void *work(void *number)
{
    long id = (long)number;
    for (const char *op = scripts[id]; *op; op += 2) {
        int learned = perform(op[0], &semaphores[op[1] - '0']);
        if (learned)
            seen[id] = seen[id] * 16 + learned;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < 2; i++)
        sem_init(&semaphores[i], 0, (unsigned)(argv[1][i] - '0'));
    for (int i = 0; i < argc - 2; i++)
        strncpy(scripts[i], argv[i + 2], sizeof scripts[i] - 1);
    for (long i = 0; i < argc - 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < argc - 2; i++)
        pthread_join(threads[i], NULL);
}
