// Messages that overtake each other.
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { SENDERS = 4, EACH = 2 };

static void *sends(void *which)
{
    for (int i = 0; i < EACH; i++)
        heddle_send((int)(long)which % 2, (int)(long)which, i, "m", 1);
    return NULL;
}

static void *receives(void *at)
{
    char message;
    for (int i = 0; i < SENDERS * EACH / 2; i++)
        heddle_receive((int)(long)at, HEDDLE_ANY, HEDDLE_ANY, &message, 1, NULL);
    return NULL;
}

int main(void)
{
    pthread_t threads[SENDERS + 2];
    for (long i = 0; i < SENDERS; i++)
        pthread_create(&threads[i], NULL, sends, (void *)i);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[SENDERS + i], NULL, receives, (void *)i);
    for (int i = 0; i < SENDERS + 2; i++)
        pthread_join(threads[i], NULL);
}
