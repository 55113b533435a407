/* Processes of the algorithms of chapter 2 as threads: number i receives at mailbox i. */
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { MOST = 8 };

/* Sends a number with a tag. */
static inline void tell(int to, int from, int tag, int number)
{
    heddle_send(to, from, tag, &number, sizeof number);
}

/* Receives a number from any process, with the tag or (HEDDLE_ANY) any. */
static inline int hear(int me, int tag, heddle_envelope *about)
{
    int number;
    heddle_receive(me, HEDDLE_ANY, tag, &number, sizeof number, about);
    return number;
}

static inline void start(int count, void *(*process)(void *))
{
    pthread_t threads[MOST];
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, process, (void *)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}
