// Program M of Lei's dissertation (3.4.2): two receivers with two senders each. A receive and the sends that it does not
// take are ordered: 4 traces for each receiver, 2 of which have the same pairs.
// EXPECT: complete
// TESTS: 16
// DFS: yes
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *sends(void *to)
{
    heddle_send((int)(long)to, 0, 0, "m", 1);
    return NULL;
}

static void *receives(void *at)
{
    char message;
    for (int i = 0; i < 2; i++)
        heddle_receive((int)(long)at, HEDDLE_ANY, HEDDLE_ANY, &message, 1, NULL);
    return NULL;
}

int main(void)
{
    void *(*const body[])(void *) = { sends, receives, sends, sends, receives, sends };
    pthread_t t[6];
    for (long i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, body[i], (void *)(i / 3));
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
}
