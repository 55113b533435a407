/* A server that lends a lock: clients ask for it, and get it in the order of their requests. The server sees that no two
 * hold it at once. With -DGREEDY it grants a second request at once. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { SERVER = 0, N = 3, ASK = 0, GIVE_BACK = 1, GRANT = 2 };

static void *client(void *number)
{
    int id = (int)(long)number;
    heddle_send(SERVER, id, ASK, "", 0);
    heddle_receive(id, SERVER, GRANT, NULL, 0, NULL);
    heddle_send(SERVER, id, GIVE_BACK, "", 0);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int waiting[N], first = 0, last = 0, holds = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, client, (void *)(i + 1));
    for (int i = 0; i < 2 * N; i++) {
        heddle_envelope about;
        heddle_receive(SERVER, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, &about);
        if (about.tag == ASK)
            waiting[last++] = about.source;
        holds -= about.tag == GIVE_BACK;
#ifdef GREEDY
        int free = holds < 2;
#else
        int free = !holds;
#endif
        if (free && first < last) {
            heddle_send(waiting[first++], SERVER, GRANT, "", 0);
            assert(++holds == 1);
        }
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
