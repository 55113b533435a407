/* Program M of 3.4.2 with SENDERS senders for each of RECEIVERS receivers: (SENDERS!)^RECEIVERS SR-sequences. */
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

#ifndef SENDERS
#define SENDERS 4
#endif
#ifndef RECEIVERS
#define RECEIVERS 3
#endif

static void *sends(void *to)
{
    heddle_send((int)(long)to, 0, 0, "m", 1);
    return NULL;
}

static void *receives(void *at)
{
    char message;
    for (int i = 0; i < SENDERS; i++)
        heddle_receive((int)(long)at, HEDDLE_ANY, HEDDLE_ANY, &message, 1, NULL);
    return NULL;
}

int main(void)
{
    enum { EACH = SENDERS + 1 };
    pthread_t t[EACH * RECEIVERS];
    for (long i = 0; i < EACH * RECEIVERS; i++)
        pthread_create(&t[i], NULL, i % EACH ? sends : receives, (void *)(i / EACH));
    for (int i = 0; i < EACH * RECEIVERS; i++)
        pthread_join(t[i], NULL);
}
