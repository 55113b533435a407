/* A register with three replicas. A writer waits for two of them, then a reader asks two and takes the newest answer: two
 * quorums of two have a replica in common. With -DONE the reader asks a single one, and may read the old value. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { N = 3, CLIENT = N, WRITE = 0, READ = 1, NEW = 7 };
#ifdef ONE
enum { QUORUM = 1 };
#else
enum { QUORUM = 2 };
#endif

static void *replica(void *number)
{
    int id = (int)(long)number, value = 0, requests = 2;
    while (requests--) {
        heddle_envelope about;
        int given;
        heddle_receive(id, HEDDLE_ANY, HEDDLE_ANY, &given, sizeof given, &about);
        if (about.tag == WRITE)
            value = given;
        heddle_send(CLIENT, id, about.tag, &value, sizeof value);
    }
    return NULL;
}

static void ask_all(int what, int value)
{
    for (int i = 0; i < N; i++)
        heddle_send(i, CLIENT, what, &value, sizeof value);
}

int main(void)
{
    pthread_t t[N];
    int value, newest = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, replica, (void *)i);
    ask_all(WRITE, NEW);
    for (int i = 0; i < 2; i++)
        heddle_receive(CLIENT, HEDDLE_ANY, WRITE, &value, sizeof value, NULL);
    ask_all(READ, 0);
    for (int i = 0; i < QUORUM; i++) {
        heddle_receive(CLIENT, HEDDLE_ANY, READ, &value, sizeof value, NULL);
        newest = value > newest ? value : newest;
    }
    assert(newest == NEW);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
