/* Two threads pass a message to and fro for ever; beside them another one receives twice, from either of two senders. */
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *plays(void *number)
{
    int me = (int)(long)number;
    for (;;) {
        heddle_receive(me, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL);
        heddle_send(!me, me, 0, "", 0);
    }
    return NULL;
}

static void *sends(void *number)
{
    heddle_send(2, (int)(long)number, 0, "", 0);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 2 ? plays : sends, (void *)i);
    heddle_send(0, 2, 0, "", 0);
    heddle_receive(2, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL);
    heddle_receive(2, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, NULL);
    pthread_join(t[0], NULL);
}
