/* Paxos for a single decision: three acceptors, and two proposers with one ballot each. No two different values are chosen
 * by a majority. With -DFORGETFUL a proposer proposes its own value even if it has heard of another. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { ACCEPTORS = 3, PROPOSERS = 2, MAJORITY = 2, REPORT = ACCEPTORS + PROPOSERS };
enum { PREPARE, PROMISE, REFUSE, ACCEPT };

typedef struct letter {
    int ballot, accepted, value; /* `accepted`: the ballot in which the value was accepted; 0: none */
} letter;

static void *acceptor(void *number)
{
    int id = (int)(long)number, promised = 0;
    letter mine = { 0, 0, 0 }, got;
    heddle_envelope about;
    for (int left = 2 * PROPOSERS; left; left--) { /* each proposer sends two letters to each acceptor */
        heddle_receive(id, HEDDLE_ANY, HEDDLE_ANY, &got, sizeof got, &about);
        int obeys = got.ballot >= promised;
        promised = obeys ? got.ballot : promised;
        mine.ballot = got.ballot;
        if (about.tag == PREPARE)
            heddle_send(about.source, id, obeys ? PROMISE : REFUSE, &mine, sizeof mine);
        else if (about.tag == ACCEPT && obeys) {
            mine.accepted = got.ballot;
            mine.value = got.value;
            heddle_send(REPORT, id, got.ballot, &got.value, sizeof got.value);
        }
    }
    heddle_send(REPORT, id, 0, &mine.value, sizeof mine.value);
    return NULL;
}

static void send_all(int from, int tag, letter what)
{
    for (int i = 0; i < ACCEPTORS; i++)
        heddle_send(i, from, tag, &what, sizeof what);
}

static void *proposer(void *number)
{
    int id = (int)(long)number, promises = 0, best = 0;
    letter mine = { id - ACCEPTORS + 1, 0, id }, got;
    heddle_envelope about;
    send_all(id, PREPARE, mine);
    for (int i = 0; i < ACCEPTORS && promises < MAJORITY; i++) {
        heddle_receive(id, HEDDLE_ANY, HEDDLE_ANY, &got, sizeof got, &about);
        promises += about.tag == PROMISE;
#ifndef FORGETFUL
        if (got.accepted > best)
            mine.value = got.value;
#endif
        best = got.accepted > best ? got.accepted : best;
    }
    send_all(id, promises == MAJORITY ? ACCEPT : REFUSE, mine);
    return NULL;
}

int main(void)
{
    pthread_t t[ACCEPTORS + PROPOSERS];
    int votes[PROPOSERS + 1] = { 0 }, values[PROPOSERS + 1] = { 0 };
    for (long i = 0; i < ACCEPTORS + PROPOSERS; i++)
        pthread_create(&t[i], NULL, i < ACCEPTORS ? acceptor : proposer, (void *)i);
    for (int i = 0; i < ACCEPTORS; i++)
        for (heddle_envelope about = { 0, 1, 0 }; about.tag;) {
            int value;
            heddle_receive(REPORT, i, HEDDLE_ANY, &value, sizeof value, &about);
            votes[about.tag]++;
            values[about.tag] = value;
        }
    assert(votes[1] < MAJORITY || votes[2] < MAJORITY || values[1] == values[2]);
    for (int i = 0; i < ACCEPTORS + PROPOSERS; i++)
        pthread_join(t[i], NULL);
}
