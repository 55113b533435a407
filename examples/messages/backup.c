/* A primary and its backup. The primary may crash, and the link to the backup loses messages, so the primary sends again when
 * a timer runs out. What it has confirmed, the backup has. With -DEARLY it confirms before the backup has it. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

enum { PRIMARY, BACKUP, CLIENT };
enum { PUT, STORED, DONE, GET, ANSWER };

static int get(int mailbox, int tag, heddle_envelope *about)
{
    int value;
    heddle_receive(mailbox, HEDDLE_ANY, tag, &value, sizeof value, about);
    return value;
}

static void put(int to, int tag, int value)
{
    heddle_send(to, 0, tag, &value, sizeof value);
}

static void *primary(void *unused)
{
    int value = get(PRIMARY, PUT, NULL), stored;
#ifdef EARLY
    put(CLIENT, DONE, 1);
#endif
    heddle_crash_point();
    for (int tries = 0; tries < 2; tries++) {
        heddle_send_lossy(BACKUP, 0, PUT, &value, sizeof value);
        if (heddle_receive_within(PRIMARY, HEDDLE_ANY, STORED, &stored, sizeof stored, NULL, 10)) {
            put(CLIENT, DONE, 1);
            return unused;
        }
    }
    put(CLIENT, DONE, 0);
    return unused;
}

static void *backup(void *unused)
{
    heddle_envelope about;
    int value = 0, given = get(BACKUP, HEDDLE_ANY, &about);
    for (; about.tag == PUT; given = get(BACKUP, HEDDLE_ANY, &about)) {
        value = given;
        put(PRIMARY, STORED, 1);
    }
    put(CLIENT, ANSWER, value);
    return unused;
}

int main(void)
{
    pthread_t p, b;
    int done = 0;
    pthread_create(&p, NULL, primary, NULL);
    pthread_create(&b, NULL, backup, NULL);
    put(PRIMARY, PUT, 7);
    heddle_receive_within(CLIENT, HEDDLE_ANY, DONE, &done, sizeof done, NULL, 100);
    put(BACKUP, GET, 0);
    assert(get(CLIENT, ANSWER, NULL) == 7 || !done);
    pthread_join(p, NULL);
    pthread_join(b, NULL);
}
